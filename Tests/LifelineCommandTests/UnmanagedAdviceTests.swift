import Foundation
import LifelineTestSupport
import Testing

/// What a report advises when an object was used through an `Unmanaged`, which cannot be made weak.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct UnmanagedAdviceTests {
  private static let owning =
    "let the Unmanaged own the object (passRetained, and release() when it is no longer used)"

  private func advice(_ source: String, level: String) throws -> String {
    let program = try TestProgram(source, options: [level, "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "--", program.path], in: $0).output }
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  To change: ") }, "\(text)")
    return String(line.dropFirst(13))
  }

  @Test("If a function took two references and released one, either may be the lost one")
  func eitherLost() throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Corpus/Leaks/PassRetainedProperty.swift"),
      encoding: .utf8)
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "--", program.path], in: $0).output }
    #expect(text.contains("The reference that Gateway.perform() took (event "), "\(text)")
    #expect(text.contains("), or the one that Gateway.perform() took (event "), "\(text)")
    #expect(text.contains(", main.swift:11), was never released."), "\(text)")
  }

  @Test(
    "A weak reference is to replace an Unmanaged in a property, or it is to own its object",
    arguments: ["-Onone", "-O"])
  func property(_ level: String) throws {
    let advice = try advice(
      """
      class Client { var heard = 0; func hear() { heard += 1 } }
      final class Hub {
        var client: Unmanaged<Client>?
        @inline(never) func notify() { client?.takeUnretainedValue().hear() }
      }
      final class App {
        var client: Client? = Client()
        @inline(never) func leave() { client = nil }
      }
      let hub = Hub(), app = App()
      hub.client = .passUnretained(app.client!)
      hub.notify()
      app.leave()
      hub.notify()
      """, level: level)
    #expect(
      advice == "Keep a weak reference in Hub.client instead of an Unmanaged, \(Self.owning), or clear it in "
        + "Client's deinit.")
  }

  @Test("So is a struct's, which may have been used, in a near miss as well", arguments: ["-Onone", "-O"])
  func structs(_ level: String) throws {
    let source = """
      import Foundation
      class Session: @unchecked Sendable { var pokes = 0; func poke() { pokes += 1 } }
      struct Handle {
        let session: Unmanaged<Session>
        @inline(never) func poke() { session.takeUnretainedValue().poke() }
      }
      final class Owner {
        var session: Session? = Session()
        @inline(never) func drop() { session = nil }
      }
      let started = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0)
      @inline(never) func start(_ session: Session) {
        DispatchQueue.global().async {
          started.signal()
          go.wait()
          session.poke()
        }
        started.wait()
      }
      @inline(never) func run() {
        let owner = Owner()
        let handle = Handle(session: .passUnretained(owner.session!))
        if HELD { start(owner.session!) }
        owner.drop()
        handle.poke()
        go.signal()
      }
      run()
      usleep(100_000)
      """
    for isHeld in [true, false] {
      let program = source.replacing("HELD", with: "\(isHeld)")
      #expect(
        try advice(program, level: level)
          == "If Handle.session, an unmanaged reference, was used, keep a weak reference there instead or "
          + "\(Self.owning). Otherwise make the reference weak, clear it in Session's deinit, or hold the object "
          + "strongly for as long as it is used.")
    }
  }

  @Test("A type that released what a getter of another type returned has not released once too often")
  func wrapper() throws {
    let program = try TestProgram(
      """
      @propertyWrapper struct Late<T: AnyObject> {
        var reference: Unmanaged<T>?
        var wrappedValue: T? {
          get { reference?.takeUnretainedValue() }
          set { reference = newValue.map { .passUnretained($0) } }
        }
      }
      class Document { var words = 0; func count() -> Int { words += 1; return words } }
      final class Page {
        @Late var document: Document?
        func render() -> Int { document?.count() ?? 0 }
      }
      final class Book {
        var document: Document? = Document()
        func tear() { document = nil }
      }
      let page = Page(), book = Book()
      page.document = book.document
      print(page.render())
      book.tear()
      print(page.render())
      """, options: ["-Onone", "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "--", program.path], in: $0).output }
    #expect(text.contains("error: use-after-free   Document#1 "), "\(text)")
    #expect(!text.contains("Page, which has only a pointer to it, released it"), "\(text)")
    #expect(!text.contains("takeRetainedValue()"), "\(text)")
  }

  @Test("An owner in whose memory the object was may have deinitialized it too early")
  func memory() throws {
    let advice = try advice(
      """
      final class Node { var value = 1; func bump() { value += 1 } }
      final class Ring {
        let nodes = UnsafeMutablePointer<Node>.allocate(capacity: 4)
        func push() { nodes.initialize(to: Node()) }
        func clear() { nodes.deinitialize(count: 1) }
        func first() { nodes.pointee.bump() }
      }
      let ring = Ring()
      ring.push()
      ring.clear()
      ring.first()
      """, level: "-Onone")
    #expect(advice.contains(", or for memory that is deinitialized or moved from too early. "), "\(advice)")
  }

  @Test("The first reference is its creator's, which released it once too often", arguments: ["-Onone", "-O"])
  func creator(_ level: String) throws {
    let program = try TestProgram(
      """
      final class Blob { var bytes = [1, 2]; func size() -> Int { bytes.count } }
      final class Cache {
        var blobs: [String: Unmanaged<Blob>] = [:]
        @inline(never) func put(_ key: String) { blobs[key] = .passRetained(Blob()) }
        @inline(never) func evict(_ key: String) { blobs[key]?.release() }
        @inline(never) func flush() {
          for (_, blob) in blobs { blob.release() }
          blobs = [:]
        }
      }
      let cache = Cache()
      cache.put("a")
      cache.evict("a")
      cache.flush()
      """, options: [level, "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "--", program.path], in: $0).output }
    #expect(text.contains("error: over-release   Blob#1 "), "\(text)")
    #expect(text.contains("  Cache, which has only a pointer to it, released it twice (event "), "\(text)")
    #expect(text.contains(") but had only the reference it created it with"), "\(text)")
  }

  @Test("A pointer beside the property that owned the object may be what was used", arguments: ["-Onone", "-O"])
  func pointer(_ level: String) throws {
    let advice = try advice(
      """
      class Connection { var writes = 0; func write() { writes += 1 } }
      final class Server {
        var connections = [1: Connection()]
        var pointers: [Int: UnsafeMutableRawPointer] = [:]
        @inline(never) func expose() {
          for (key, value) in connections { pointers[key] = Unmanaged.passUnretained(value).toOpaque() }
        }
        @inline(never) func serve(_ key: Int) {
          Unmanaged<Connection>.fromOpaque(pointers[key]!).takeUnretainedValue().write()
        }
        @inline(never) func drop(_ key: Int) { connections[key] = nil }
      }
      let server = Server()
      server.expose()
      server.serve(1)
      server.drop(1)
      server.serve(1)
      """, level: level)
    #expect(advice.hasPrefix("Make the reference weak, "), "\(advice)")
  }
}
