import Foundation
import Glibc
import LifelineTestSupport
import LifelineTrace

/// A program under `lifeline record` that creates 10 objects that stay and 5 that are freed, then waits for a file
/// before it repeats this, three times.
final class SteppedProgram {
  let folder: String
  var trace: String { "\(folder)/steps.lifeline" }
  private var started: [TestProcess] = []
  private var lives = 0

  static func program() throws -> TestProgram {
    try TestProgram(
      """
      import Glibc
      final class Kept { let number = 1 }
      final class Passing日本 { let number = 2 }
      let folder = CommandLine.arguments[1]
      setlinebuf(stdout)
      var kept: [Kept] = []
      for step in 1...3 {
        for _ in 0..<10 {
          kept.append(Kept())
        }
        for _ in 0..<5 { withExtendedLifetime(Passing日本()) {} }
        print("step \\(step)")
        close(creat("\\(folder)/done\\(step)", 0o600))
        while access("\\(folder)/go\\(step)", F_OK) != 0 { usleep(1000) }
      }
      """, options: ["-g", "-Onone", "-module-name", "Steps"])
  }

  private init(_ folder: String) throws {
    self.folder = folder
    let program = try Self.program()
    try start(["record", "-q", "-o", trace, program.path, folder], output: "/dev/null", errors: "/dev/null")
  }

  /// Records the program while `body` runs, and then ends everything.
  static func run(_ body: (SteppedProgram) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let program = try SteppedProgram(folder)
      defer {
        for process in program.started {
          process.send(SIGKILL)
          _ = try? process.wait()
        }
      }
      try body(program)
    }
  }

  /// The program's process ID.
  var identifier: pid_t { get throws { pid_t(try Recording.read(path: trace).process) } }

  @discardableResult private func start(_ arguments: [String], output: String, errors: String) throws -> TestProcess {
    let process = try TestProcess(
      BuiltPackage.lifeline, arguments, folder: folder, output: output, errors: errors, limit: .seconds(1800))
    started.append(process)
    return process
  }

  /// Waits until the program has completed a step.
  func reach(_ step: Int) throws { try wait { FileManager.default.fileExists(atPath: "\(folder)/done\(step)") } }

  func goOn(_ step: Int) { _ = FileManager.default.createFile(atPath: "\(folder)/go\(step)", contents: nil) }

  func live(_ arguments: [String]) throws -> CommandResult {
    try CommandResult.run(BuiltPackage.lifeline, ["live"] + arguments, folder: folder)
  }

  /// Starts a watch; `output` and `errors` are those of the latest one.
  func startLive(_ arguments: [String]) throws -> TestProcess {
    lives += 1
    return try start(["live"] + arguments, output: "\(folder)/out\(lives)", errors: "\(folder)/err\(lives)")
  }

  var output: String { text("\(folder)/out\(lives)") }
  var errors: String { text("\(folder)/err\(lives)") }

  func waitForOutput(_ text: String) throws { try wait { output.contains(text) } }

  func wait(until isTrue: () -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: 300)
    while !isTrue() {
      guard Date() < deadline else { throw TestProcessError("never came; the watch printed:\n\(output)\(errors)") }
      usleep(5000)
    }
  }

  private func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
