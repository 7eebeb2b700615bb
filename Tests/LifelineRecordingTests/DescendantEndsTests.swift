import Glibc
import LifelineTestSupport
import LifelineTrace
import Testing

@testable import LifelineRecording

@Suite(.startsPrograms, .timeLimit(.minutes(10))) struct DescendantEndsTests {
  private static let source = """
    import Glibc
    final class Node { var value = 1 }
    print(Node().value)
    while true { pause() }
    """

  private static var kernel: (Int, Int) {
    var name = utsname()
    uname(&name)
    let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let numbers = release.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    return numbers.count > 1 ? (numbers[0], numbers[1]) : (0, 0)
  }

  @Test("The signal that ended a process for which another one waits is known where the kernel tells")
  func signal() throws {
    let program = try TestProgram(Self.source, options: ["-O"])
    try withTemporaryFolder { folder in
      let ends = DescendantEnds(folder: folder, session: 0xABC)
      var environment = ["LD_PRELOAD": BuiltPackage.preloadableProbe, "SWIFT_BACKTRACE": "enable=no"]
      environment["LIFELINE_OPTIONS"] = "output=\(folder)/t.lifeline:session=abc"
      let process = try TestProcess(program.path, environment: environment, limit: .seconds(120))
      for _ in 0..<6000 where !ends.knows(Int(process.identifier)) {
        ends.serve()
        usleep(10_000)
      }
      #expect(ends.knows(Int(process.identifier)))
      #expect(ends.signal(of: Int(process.identifier)) == nil, "it still runs")
      process.send(SIGSEGV)
      #expect(try process.wait() == 128 + SIGSEGV)
      let end = ends.signal(of: Int(process.identifier))
      #expect(end == .signal(Int(SIGSEGV)) || end == nil && Self.kernel < (6, 15))
    }
  }

  @Test("A process of another session is not opened")
  func other() throws {
    let program = try TestProgram(Self.source, options: ["-O"])
    try withTemporaryFolder { folder in
      let ends = DescendantEnds(folder: folder, session: 0xABD)
      var environment = ["LD_PRELOAD": BuiltPackage.preloadableProbe]
      environment["LIFELINE_OPTIONS"] = "output=\(folder)/t.lifeline:session=abc"
      let process = try TestProcess(program.path, environment: environment, limit: .seconds(120))
      for _ in 0..<6000 where (try? Recording.read(path: "\(folder)/t.lifeline")) == nil { usleep(10_000) }
      ends.serve()
      #expect(!ends.knows(Int(process.identifier)) && !ends.isWaiting)
      process.send(SIGKILL)
      #expect(try process.wait() == 128 + SIGKILL)
    }
  }
}
