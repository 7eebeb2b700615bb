import LifelineTestSupport
import Testing

/// Which of several equal references of one call is left: what the report says, `history` and `replay` say, too.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct LeftReferenceTests {
  private static let source = """
    final class Session {
      var onClose: (() -> Void)?
      func close() { onClose?() }
    }
    func serve() {
      let session = Session()
      session.onClose = { print("\\(session.onClose == nil)") }
      session.close()
    }
    for _ in 1...3 { serve() }
    """

  private func withTrace(_ level: String, _ body: (String) throws -> Void) throws {
    let program = try TestProgram(Self.source, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      try body(folder)
    }
  }

  @Test("The reference that the report calls a closure's is open in the history, and in the replay")
  func closure() throws {
    try withTrace("-Onone") { folder in
      let report = try lifeline(["report", "t"], in: folder).output
      let stated = try #require(
        report.firstMatch(of: /closure at main\.swift:7 has held Session#1 since serve\(\) retained it \(event (\d+),/),
        "\(report)")
      let history = try lifeline(["history", "t", "Session#1"], in: folder).output
      #expect(history.contains(try Regex("\n +\(stated.1)  retain +\\+1 +2 +unpaired ")), "\(history)")
      #expect(history.contains(#/\n +1  allocate +\+1 +1 +~\d+ /#), "\(history)")
      #expect(history.contains(try Regex("a closure that captured it +owner +\(stated.1) ")), "\(history)")
      #expect(!history.contains("can be swapped"), "\(history)")
      let held = "owner      a closure that captured it  since event \(stated.1), main.swift:"
      #expect(try lifeline(["replay", "t", "Session#1"], in: folder).output.contains(held))
      #expect(try lifeline(["history", "t", "--finding", "1"], in: folder).output.contains(held))
    }
  }

  @Test("Where nothing shows which one is left, the history says which release may be the allocation's")
  func unknown() throws {
    try withTrace("-O") { folder in
      let report = try lifeline(["report", "t"], in: folder).output
      #expect(report.contains("Session.onClose → closure at main.swift:7 → Session"), "\(report)")
      #expect(!report.contains("has held Session#1"), "\(report)")
      let history = try lifeline(["history", "t", "Session#1"], in: folder).output
      #expect(history.contains(#/\n +1  allocate +\+1 +1 +unpaired /#), "\(history)")
      let last = try #require(history.firstMatch(of: #/\n +(\d+)  release +-1 +1 /#), "\(history)").1
      let doubt = "Event \(last) may have balanced the allocation instead: equal references of one call can be swapped."
      #expect(history.contains(doubt), "\(history)")
    }
  }

  @Test("A closure's reference is the one that its line took, not the one that a dictionary got before it")
  func dictionary() throws {
    let source = """
      struct State { var onClose: (() -> Void)? }
      final class Session { var state = State() }
      final class Lobby {
        var sessions: [Int: Session] = [:]
        func admit(_ session: Session) {
          sessions[1] = session
          session.state.onClose = { [weak self] in self?.remove(session) }
        }
        func remove(_ session: Session) { sessions[1] = nil }
      }
      func serve() {
        let lobby = Lobby()
        let session = Session()
        lobby.admit(session)
        lobby.remove(session)
      }
      serve()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      let report = try lifeline(["report", "t"], in: folder).output
      let stated = try #require(
        report.firstMatch(
          of: /closure at main\.swift:7 has held Session#1 since Lobby\.admit\(_:\) retained it \(event (\d+),/),
        "\(report)"
      ).1
      let history = try lifeline(["history", "t", "Session#1"], in: folder).output
      let stored = #/\n +(\d+)  retain +\+1 +2 +~(\d+) .* main\.swift:6\n/#
      let (_, start, end) = try #require(history.firstMatch(of: stored), "\(history)").output
      #expect(history.contains(try Regex("\n +\(stated)  retain +\\+1 +3 +unpaired .* main\\.swift:7\n")), "\(history)")
      #expect(history.contains(try Regex("\n  Lobby#1\\.sessions +owner +\(start) +\(end) ")), "\(history)")
      #expect(history.contains(try Regex("\n  a closure that captured it +owner +\(stated) .* open")), "\(history)")
    }
  }

  @Test("A closure's reference is its creator's, not that of the call that stores the closure")
  func registration() throws {
    let source = """
      final class Bus {
        var handlers: [Int: () -> Void] = [:]
        func subscribe(_ handler: @escaping () -> Void) {
          handlers[handlers.count] = handler
        }
      }
      final class Panel {
        let bus = Bus()
        var updates = 0
        func start() {
          bus.subscribe { self.updates += 1 }
        }
      }
      func run() { Panel().start() }
      run()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      let report = try lifeline(["report", "t"], in: folder).output
      let taken = /at main\.swift:11 has held Panel#1 since Panel\.start\(\) retained it \(event (\d+), main thread\)/
      let stated = try #require(report.firstMatch(of: taken), "\(report)").1
      let history = try lifeline(["history", "t", "Panel#1"], in: folder).output
      #expect(history.contains(try Regex("\n +\(stated)  retain .* unpaired .* main\\.swift:11\n")), "\(history)")
      #expect(history.contains(try Regex("\n  a closure that captured it +owner +\(stated) .* open")), "\(history)")
    }
  }

  @Test("Of two closures that captured one object, each has the reference that its own line took")
  func twoClosures() throws {
    let source = """
      final class Router {
        var handlers: [String: (Int) -> Int] = [:]
        func add(_ path: String, _ handler: @escaping (Int) -> Int) { handlers[path] = handler }
      }
      final class Users {
        let router: Router
        var count = 2
        init(router: Router) { self.router = router }
        func mount() {
          router.add("/count") { self.count + $0 }
          router.add("/twice") { self.count * 2 + $0 }
        }
      }
      func run() { Users(router: Router()).mount() }
      run()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      let report = try lifeline(["report", "t"], in: folder).output
      let taken = /main\.swift:(\d+) has held Users#1 since Users\.mount\(\) retained it \(event (\d+), main thread\)/
      let (_, line, event) = try #require(report.firstMatch(of: taken), "\(report)").output
      let history = try lifeline(["history", "t", "Users#1"], in: folder).output
      #expect(history.contains(try Regex("\n +\(event)  retain .* unpaired .* main\\.swift:\(line)\n")), "\(history)")
      #expect(history.contains(try Regex("\n  a closure that captured it +owner +\(event) .* open")), "\(history)")
    }
  }

  @Test("Of an object that nothing refers to, the reference taken by hand is open, not the variable's")
  func passRetained() throws {
    let source = """
      final class Context { var calls = 0 }
      func install(_ context: Context) {
        let pointer = Unmanaged.passRetained(context).toOpaque()
        print(pointer == UnsafeMutableRawPointer(bitPattern: 1))
      }
      func run() {
        let context = Context()
        install(context)
        context.calls += 1
      }
      run()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      let report = try lifeline(["report", "t"], in: folder).output
      let taken = /reference that install\(_:\) took \(event (\d+), [^)]*main\.swift:3\) was never released/
      let stated = try #require(report.firstMatch(of: taken), "\(report)").1
      let history = try lifeline(["history", "t", "Context#1"], in: folder).output
      #expect(history.contains(try Regex("\n +\(stated)  retain +\\+1 +2 +unpaired .* main\\.swift:3\n")), "\(history)")
      #expect(history.contains(#/\n +1  allocate +\+1 +1 +~\d+ /#), "\(history)")
      #expect(history.contains(try Regex("\n  a stored reference +owner +\(stated) .* open")), "\(history)")
    }
  }
}
