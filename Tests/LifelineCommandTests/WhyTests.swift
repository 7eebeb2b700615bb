import LifelineTestSupport
import Testing

/// What `lifeline why` prints.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct WhyTests {
  private static let source = """
    import Dispatch
    import Glibc
    final class Server { let port = 80 }
    final class Gate { var waiting: UnsafeContinuation<Void, Never>? }
    @MainActor let gate = Gate()
    @MainActor func serve() async {
      let server = Server()
      await withUnsafeContinuation { continuation in
        gate.waiting = continuation
        DispatchQueue.main.async { exit(0) }
      }
      print(server.port)
    }
    Task { @MainActor in await serve() }
    dispatchMain()
    """

  @Test("The path from a live task is followed by the path to the task")
  func task() throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      #expect(try lifeline(["record", "-q", "-o", "trace", "--", program.path], in: folder).status == 0)
      let why = try lifeline(["why", "trace", "Server"], in: folder)
      #expect(why.status == 0, "\(why)")
      let parts = why.output.split(separator: "The task is referred to by\n\n")
      try #require(parts.count == 2, "\(why)")
      #expect(parts[0].contains("\nis kept alive by\n\n  live task\n") && parts[0].contains("App.Server\n"), "\(why)")
      #expect(
        parts[1] == "  global variable gate of program\n    App.Gate.waiting\n      task waiting at main.swift:8\n")
    }
  }
}
