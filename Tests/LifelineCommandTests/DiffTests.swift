import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct DiffTests {
  /// `keep` decides whether the cache keeps the node.
  private static func source(keeps: Bool) -> String {
    """
    final class Node { var value = 1 }
    final class Cache {
      var node: Node?
      func store(_ node: Node) { self.node = node }
      func forget() { \(keeps ? "" : "node = nil") }
    }
    let cache = Cache()
    @inline(never) func work() { let node = Node(); cache.store(node); cache.forget() }
    work()
    print(cache.node?.value ?? 0)
    """
  }

  private func record(keeps: Bool, as name: String, in folder: String) throws {
    let program = try TestProgram(Self.source(keeps: keeps), options: ["-g", "-Onone", "-module-name", "App"])
    try #expect(lifeline(["record", "-q", "-o", name, program.path], in: folder).status == 0)
  }

  @Test("Two runs of the same program do not differ: status 0")
  func same() throws {
    try withTemporaryFolder { folder in
      try record(keeps: false, as: "a", in: folder)
      try record(keeps: false, as: "b", in: folder)
      let result = try lifeline(["diff", "a", "b"], in: folder)
      #expect(result == CommandResult(output: "No difference; 2 objects unchanged.\n", errors: "", status: 0))
    }
  }

  @Test("If a signal ended only one of the programs, that is said")
  func crash() throws {
    func record(_ argument: String, as name: String, in folder: String) throws {
      let program = try TestProgram(
        """
        final class Node { var value = 1 }
        let node = Node()
        if CommandLine.arguments.contains("crash") { fatalError("asked to") }
        print(node.value)
        """, options: ["-g", "-Onone", "-module-name", "App"])
      _ = try lifeline(["record", "-q", "-o", name, "--", program.path, argument], in: folder)
    }
    try withTemporaryFolder { folder in
      try record("end", as: "a", in: folder)
      try record("crash", as: "b", in: folder)
      let sentence =
        "lifeline: the program of b was ended by SIGILL, so what is live at its end may only be what it had yet to "
        + "release\n"
      try #expect(lifeline(["diff", "a", "b"], in: folder).errors == sentence)
      try #expect(lifeline(["diff", "b", "b"], in: folder).errors == "")
    }
  }

  @Test("Two runs whose threads contend for objects do not differ; a cache that keeps objects does")
  func concurrent() throws {
    func program(keeps: Bool) throws -> TestProgram {
      try TestProgram(
        """
        import Dispatch
        import Foundation
        final class Node: @unchecked Sendable { var value = 0 }
        final class Cache: @unchecked Sendable {
          private let lock = NSLock()
          private var nodes: [Int: Node] = [:]
          private var kept: [Node] = []
          func node(_ key: Int) -> Node {
            lock.lock()
            defer { lock.unlock() }
            if let node = nodes[key] { return node }
            let node = Node()
            nodes[key] = node
            \(keeps ? "keep(node)" : "")
            return node
          }
          func keep(_ node: Node) { kept.append(node) }
          func drop(_ key: Int) {
            lock.lock()
            nodes[key] = nil
            lock.unlock()
          }
        }
        let cache = Cache()
        DispatchQueue.concurrentPerform(iterations: 6) { number in
          for index in 0..<200 {
            cache.node(index % 17).value += 1
            if index % 5 == 0 { cache.drop(index % 17) }
          }
        }
        """, options: ["-g", "-Onone", "-module-name", "App"])
    }
    try withTemporaryFolder { folder in
      for number in 1...4 {
        try #expect(lifeline(["record", "-q", "-o", "\(number)", program(keeps: false).path], in: folder).status == 0)
      }
      for number in 2...4 {
        let result = try lifeline(["diff", "1", "\(number)"], in: folder)
        #expect(result.status == 0 && result.output.hasPrefix("No difference; "), "\(result.output)")
      }
      try #expect(lifeline(["record", "-q", "-o", "kept", program(keeps: true).path], in: folder).status == 0)
      let kept = try lifeline(["diff", "1", "kept", "--only", "Node"], in: folder)
      #expect(kept.status == 1 && kept.output.contains(" by Cache.keep(_:)\n"), "\(kept.output)")
      let none = try lifeline(["diff", "1", "2", "--only", "Nod"], in: folder)
      #expect(none.status == 2 && none.errors == "lifeline: No class in the traces matches 'Nod'.\n")
    }
  }

  @Test("A trace is rejected if its program was rebuilt since, as its functions have no names anymore")
  func rebuilt() throws {
    try withTemporaryFolder { folder in
      for keeps in [false, true] {
        let program = try TestProgram(Self.source(keeps: keeps), options: ["-g", "-Onone", "-module-name", "App"])
        try? FileManager.default.removeItem(atPath: "\(folder)/app")
        try program.copy(to: "\(folder)/app")
        try #expect(lifeline(["record", "-q", "-o", "\(keeps)", "./app"], in: folder).status == 0)
      }
      let result = try lifeline(["diff", "false", "true"], in: folder)
      #expect(result.status == 2 && result.output == "")
      #expect(result.errors.hasPrefix("lifeline: false cannot be compared. "), "\(result.errors)")
    }
  }

  @Test("Builds with modules named after their commits are compared as one module, and that is reported")
  func modules() throws {
    try withTemporaryFolder { folder in
      for (module, keeps) in [("app_1", false), ("app_2", false), ("app_3", true)] {
        let program = try TestProgram(Self.source(keeps: keeps), options: ["-g", "-Onone", "-module-name", module])
        try program.copy(to: "\(folder)/\(module)")
        try #expect(lifeline(["record", "-q", "-o", "\(module).trace", "./\(module)"], in: folder).status == 0)
      }
      let same = try lifeline(["diff", "app_1.trace", "app_2.trace"], in: folder)
      #expect(same.status == 0 && same.output == "No difference; 2 objects unchanged.\n", "\(same)")
      let said = "lifeline: the module 'app_1' of app_1.trace is compared with 'app_2' of app_2.trace\n"
      #expect(same.errors == said)
      let other = try lifeline(["diff", "app_1.trace", "app_3.trace"], in: folder)
      #expect(
        other.status == 1 && other.output.hasPrefix("app_3.Node from work(): Node#1\n  ~ is now live at exit"),
        "\(other)")
    }
  }

  @Test("Closures, which are named after their program's file, are compared as well")
  func closures() throws {
    let source = """
      final class Session { var onClose: (() -> Void)? }
      func serve(_ name: String, _ port: Int) {
        let session = Session()
        session.onClose = { print("\\(name) left port \\(port)") }
        session.onClose?()
      }
      for name in ["a", "b", "c"] { serve(name, 80) }
      """
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      for name in ["app-a1b2c3d", "app-d4e5f6a"] {
        try program.copy(to: "\(folder)/\(name)")
        try #expect(lifeline(["record", "-q", "-o", "\(name).trace", "./\(name)"], in: folder).status == 0)
      }
      let result = try lifeline(["diff", "app-a1b2c3d.trace", "app-d4e5f6a.trace"], in: folder)
      #expect(result.status == 0 && result.output.hasPrefix("No difference; "), "\(result)")
    }
  }

  @Test("A missing release is named with its function: status 1")
  func vanished() throws {
    try withTemporaryFolder { folder in
      try record(keeps: false, as: "a", in: folder)
      try record(keeps: true, as: "b", in: folder)
      let result = try lifeline(["diff", "a", "b"], in: folder)
      #expect(result.status == 1)
      #expect(
        result.output == """
          App.Node from work(): Node#1
            ~ is now live at exit
            + 1 retain by main
            + 1 release by main
            - 1 release by Cache.forget()

          1 difference; 1 object unchanged.

          """)
    }
  }

  @Test("Traces that cannot be compared are an error with status 2")
  func failures() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents { $0.add(3, 0x5000, at: [0x10], time: 1010, arguments: [1, 0]) }
    builder.stopReason = 2
    try builder.withFile { path in
      let gone = try lifeline(["diff", path, "gone"], in: "/")
      #expect(gone.status == 2 && gone.output == "")
      let blind = try lifeline(["diff", path, path], in: "/")
      #expect(
        blind.status == 2 && blind.errors.hasPrefix("lifeline: \(path) cannot be compared. The recording stopped early")
      )
      try #expect(lifeline(["diff", path, path, "--tolerance", "-1"], in: "/").status == 64)
    }
  }

  @Test("git bisect run finds the commit after which an object was kept")
  func bisect() throws {
    try withTemporaryFolder { folder in
      func git(_ arguments: String...) throws -> CommandResult {
        try CommandResult.run(
          "git", ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"] + arguments,
          folder: folder)
      }
      try #expect(git("init", "-q").status == 0)
      for number in 1...6 {
        try (Self.source(keeps: number >= 4) + "\nprint(\(number))\n").write(
          toFile: "\(folder)/main.swift", atomically: true, encoding: .utf8)
        try #expect(git("add", "main.swift").status == 0)
        try #expect(git("commit", "-q", "-m", "change \(number)").status == 0)
      }
      let script = """
        # Each commit's program has its own name: the trace of the good one needs its program for the names.
        app=./app-$(git rev-parse --short HEAD)
        swiftc -g -Onone -module-name App main.swift -o $app || exit 125
        "$LIFELINE" record -q -f -o new.lifeline $app > output || exit 125
        [ -e good.lifeline ] || cp new.lifeline good.lifeline
        "$LIFELINE" diff good.lifeline new.lifeline
        status=$?
        [ $status -eq 2 ] && exit 125
        exit $status
        """
      try script.write(toFile: "\(folder)/bisect.sh", atomically: true, encoding: .utf8)
      try #expect(git("checkout", "-q", "HEAD~5").status == 0)
      let environment = ["LIFELINE": BuiltPackage.lifeline]
      try #expect(CommandResult.run("sh", ["bisect.sh"], environment: environment, folder: folder).status == 0)
      try #expect(git("bisect", "start", "main", "main~5").status == 0)
      let found = try CommandResult.run(
        "git", ["bisect", "run", "sh", "bisect.sh"], environment: environment, folder: folder)
      #expect(found.status == 0 && found.output.contains("change 4"), "\(found.output)\(found.errors)")
    }
  }
}
