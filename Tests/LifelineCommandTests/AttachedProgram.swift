import Foundation
import LifelineTestSupport

/// A program that runs until its standard input ends; a test writes lines to it in the meantime.
final class AttachedProgram {
  let process: TestProcess
  private let input: FileHandle
  private let output: String
  private let errors: String

  /// The programs of Tests/Sandbox/Attached.swift.
  static let program = Result {
    let file = BuiltPackage.root.appendingPathComponent("Tests/Sandbox/Attached.swift")
    return try TestProgram(String(contentsOf: file, encoding: .utf8), options: ["-O"])
  }

  /// Starts a program and waits until it reports that it is ready. `command` is shell text that precedes the program.
  init(_ program: TestProgram, _ arguments: [String] = [], in folder: String, command: String = "exec") throws {
    let name = UUID().uuidString
    let pipe = "\(folder)/\(name).in"
    (output, errors) = ("\(folder)/\(name).out", "\(folder)/\(name).err")
    guard mkfifo(pipe, 0o600) == 0 else { throw TestProcessError("no pipe can be made in \(folder)") }
    process = try TestProcess(
      "/bin/sh", ["-c", "pipe=$1; shift; \(command) \"$0\" \"$@\" < \"$pipe\"", program.path, pipe] + arguments,
      environment: ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }, folder: folder,
      output: output, errors: errors, limit: .seconds(240))
    // Programs that other tests start must not keep its input open.
    input = FileHandle(fileDescriptor: open(pipe, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
    try expect("ready\n")
  }

  var identifier: String { String(process.identifier) }

  /// Its output so far.
  var printed: String { String(decoding: FileManager.default.contents(atPath: output) ?? Data(), as: UTF8.self) }

  func say(_ line: String) throws { try input.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Waits until it has printed a text.
  func expect(_ text: String) throws {
    for _ in 0..<6000 {
      if printed.hasSuffix(text) { return }
      usleep(10_000)
    }
    throw TestProcessError("'\(text)' was not printed in a minute, but '\(printed)'")
  }

  /// Ends its input and returns all of its output and its status.
  func end() throws -> CommandResult {
    try input.close()
    let status = try process.wait()
    let errors = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    return CommandResult(output: printed, errors: errors, status: status)
  }
}
