import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct DetectionTests {
  @Test(
    "A release without a reference behind it is a finding, whatever it hits",
    arguments: [
      ("deinit", "over-release   Token#1 was released more often than it was retained"),
      ("owned", "over-release   Token#1 was released more often than it was retained"),
      ("block", "not-an-object   0x"), ("stack", "not-an-object   0x"), ("null", "not-an-object   0x"),
    ])
  func releases(_ how: String, _ title: String) throws {
    let source = """
      import Glibc
      final class Token {
        var id = 5
        deinit { if CommandLine.arguments[1] == "deinit" { Unmanaged.passUnretained(self).release() } }
      }
      @inline(never) func make() { _ = Token() }
      @inline(never) func release(_ pointer: UnsafeMutableRawPointer) { Unmanaged<Token>.fromOpaque(pointer).release() }
      @inline(never) func releaseLocal() {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { words in
          words[0] = 0x1234_5678_1234_5678
          words[1] = 3
          release(words.baseAddress!)
        }
      }
      switch CommandLine.arguments[1] {
      case "deinit": make()
      case "owned": let token = Token(); release(Unmanaged.passUnretained(token).toOpaque())
      case "stack": releaseLocal()
      case "block": var words: [UInt64] = [0x1234_5678_1234_5678, 3]; release(&words)
      default: release(calloc(1, 32)!)
      }
      """
    let program = try TestProgram(source, options: ["-g", "-Onone"])
    try withTemporaryFolder { folder in
      let plain = try CommandResult.run(
        program.path, [how], environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
      // A reference released twice leaves memory that may still look valid.
      if how != "owned" { #expect(plain.status == 139, "without the probe it crashes somewhere in the runtime") }
      let result = try CommandResult.run(BuiltPackage.lifeline, ["check", "--", program.path, how], folder: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("\nerror: \(title)"))
      #expect(result.output.contains("main.swift:"))
      #expect(result.output.contains("is on that thread's stack") == (how == "stack"))
    }
  }

  @Test("A guard page that sees how a method is looked up says so")
  func lookUp() throws {
    let source = """
      class Lamp { var hours = 0; func shine() { hours += 1 } }
      @inline(never) func dangling() -> Unmanaged<Lamp> { Unmanaged.passUnretained(Lamp()) }
      @inline(never) func use(_ lamp: Unmanaged<Lamp>) { lamp._withUnsafeGuaranteedRef { $0.shine() } }
      use(dangling())
      """
    let program = try TestProgram(source, options: ["-g", "-O", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--once", "--guard", "*", "--", program.path], in: folder)
      #expect(result.status == 1)
      #expect(
        result.output.contains(
          "\n  closure #1 in use(_:) read its class pointer, as method calls do (event 3, main thread, main.swift:3)."),
        "\(result.output)")
    }
  }

  @Test("A program stopped while an observer is registered is not told that a post alone kept the observer")
  func registered() throws {
    let source = """
      import Foundation
      let name = Notification.Name("closed")
      class Inspector {
        var width = 240
        var ruler: Ruler!
        init() { ruler = Ruler(self) }
        func moved() { width += 1 }
      }
      class Ruler {
        unowned(unsafe) let host: Inspector
        init(_ host: Inspector) { self.host = host }
        func listen() {
          _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in self.redraw() }
        }
        @inline(never) func redraw() { host.moved() }
      }
      class Editor { var inspector: Inspector? = Inspector() }
      let editor = Editor()
      editor.inspector!.ruler.listen()
      editor.inspector = nil
      NotificationCenter.default.post(name: name, object: nil)
      """
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--depth", "full", "--", program.path], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("The sender, Ruler#1, had lost its last owner, Inspector#1.ruler, which "))
      #expect(
        result.output.contains(
          """
          Nothing shows whether the reference that NotificationCenter.addObserver(forName:object:queue:using:) \
          took (event 12, main.swift:13) had been given up by then; if not, that kept it, too.
            By then it had outlived that owner by at least 4 events; meanwhile Inspector#1 died and its host \
          pointed to freed memory.
          """), "\(result.output)")
    }
  }

  @Test("Objects that left the quarantine are counted and reported as beyond detection")
  func recycled() throws {
    let source = """
      final class Node { var values = (1, 2, 3, 4) }
      @inline(never) func make(_ index: Int) -> Int { let node = Node(); node.values.0 = index; return node.values.0 }
      var sum = 0
      for index in 0..<20_000 { sum += make(index) }
      print(sum)
      """
    let program = try TestProgram(source, options: ["-g", "-Onone"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "--quarantine", "65536", "--", program.path], folder: folder)
      #expect(result.status == 0)
      let sentence = result.output.split(separator: "\n").first {
        $0.contains("left the quarantine, so later uses could not be caught")
      }
      let count = sentence?.split(separator: " ").first.flatMap { Int($0.replacing(",", with: "")) } ?? 0
      #expect((18_000...20_000).contains(count), "64 KiB keep about a thousand objects of 64 bytes")
      let roomy = try CommandResult.run(BuiltPackage.lifeline, ["check", "--", program.path], folder: folder)
      #expect(roomy.status == 0 && !roomy.output.contains("quarantine"))
    }
  }

  @Test("When told to proceed, a message to a zombie does nothing and returns zero, also for large results")
  func goingOn() throws {
    let source = """
      struct Large { var a = 7, b = 7, c = 7, d = 7, e = 7, f = 7 }
      class Source {
        var log = 0
        func number() -> Int { 5 }
        func real() -> Double { 5 }
        func flag() -> Bool { true }
        func object() -> Source? { self }
        func pair() -> (Int, Int, Int) { (1, 2, 3) }
        func nothing() { log += 1 }
        func large() -> Large { Large() }
      }
      @inline(never) func dangling() -> Unmanaged<Source> { Unmanaged.passUnretained(Source()) }
      let source = dangling()
      source._withUnsafeGuaranteedRef { source in
        print(source.number(), source.real(), source.flag(), source.object() == nil, source.pair())
        source.nothing()
        _ = source.large()
      }
      print("went on")
      """
    let program = try TestProgram(source, options: ["-g", "-Onone"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "-o", "t.lifeline", "--on-use-after-free", "continue", "--", program.path],
        folder: folder)
      #expect(result.status == 1)
      #expect(result.output.hasPrefix("0 0.0 false true (0, 0, 0)\nwent on\n"))
      #expect(result.output.contains("exited with status 0"))
      #expect(result.output.contains("sent it Source.number()"), "the first message within a call is the finding")
      let history = try CommandResult.run(BuiltPackage.lifeline, ["history", "t.lifeline", "Source#1"], folder: folder)
      #expect(
        history.output.split(separator: "\n").count { $0.contains("USE AFTER FREE (message)") } == 7,
        "the trace has all of them")
    }
  }

  @Test("The recorder's functions are not in a backtrace, even where they release an object in the program's place")
  func recordersFrames() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Token { var id = 5 }
      typealias Release = @convention(c) (UnsafeMutableRawPointer, UInt32) -> Void
      let releaseAll = unsafeBitCast(dlsym(nil, "swift_release_n"), to: Release.self)
      final class Holder {
        unowned(unsafe) let token: Token
        init(_ token: Token) { self.token = token }
        @inline(never) func use() -> Int { token.id }
      }
      @inline(never) func free() -> Holder {
        let pointer = Unmanaged.passRetained(Token()).toOpaque()
        let token = Unmanaged<Token>.fromOpaque(pointer)
        let holder = Holder(token.takeUnretainedValue())
        _ = token.retain()
        releaseAll(pointer, 2)
        return holder
      }
      print(free().use())
      """, options: ["-Onone", "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "--", program.path], in: $0).output }
    #expect(text.contains("\n  deallocation, event "), "\(text)")
    #expect(text.contains("\n  final-release, event "), "\(text)")
    #expect(!text.contains("libLifelineProbe"), "\(text)")
  }
}
