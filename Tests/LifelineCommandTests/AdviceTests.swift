import LifelineTestSupport
import Testing

/// What the report of a use after free advises, where the object's references were counted manually.
@Suite(.startsPrograms, .timeLimit(.minutes(30))) struct AdviceTests {
  private func report(_ source: String, level: String = "-Onone", _ options: [String] = []) throws -> String {
    let program = try TestProgram(source, options: [level, "-g", "-module-name", "App"] + options)
    return try withTemporaryFolder { try lifeline(["check", "--", program.path], in: $0).output }
  }

  private func exploration(_ source: String, runs: Int) throws -> String {
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    return try withTemporaryFolder { folder in
      try lifeline(["explore", "--runs", "\(runs)", "--confirm", "1", "--", program.path], in: folder).output
    }
  }

  private static let locking =
    "  To change: If one thread replaced the reference while another used it, protect it with a lock, an actor or a "
    + "serial queue. "

  private static let owner = """
    final class Job { var steps = 0; func run() { steps += 1 } }
    final class Worker {
      var job: Job? = Job()
      @inline(never) func work() { job?.run() }
    }

    """

  @Test(
    "If an owner may have lost its reference to a release too many, the advice is to look for that release",
    arguments: [
      (
        "@inline(never) func finish(_ job: Unmanaged<Job>) { job.release() }\n"
          + "let worker = Worker()\nfinish(.passUnretained(worker.job!))\nworker.work()", " in finish(_:)"
      ),
      (
        "let worker = Worker()\nUnmanaged.passUnretained(worker.job!).release()\nworker.work()",
        ", as in main (main.swift:7)"
      ),
    ])
  func overReleased(_ program: String, _ place: String) throws {
    let text = try report(Self.owner + program)
    #expect(text.contains("error: use-after-free   Job#1 was retained "), "\(text)")
    #expect(
      text.contains(
        "  To change: If the reference that was used owns Job#1, it was released once too often: look for an "
          + "Unmanaged.release() or takeRetainedValue() without its retain\(place). Otherwise make that "),
      "\(text)")
  }

  @Test("If another thread released the object that an owner used, a lock is advised")
  func race() throws {
    let text = try exploration(
      """
      import Foundation
      final class Job: @unchecked Sendable { var steps = 0; func run() { steps += 1 } }
      final class Worker: @unchecked Sendable {
        private var job: Job? = Job()
        @inline(never) func work() { if let job { job.run() } }
        @inline(never) func close() { job = nil }
      }
      func serve() {
        let worker = Worker(), group = DispatchGroup()
        DispatchQueue.global().async(group: group) { worker.work() }
        usleep(3000)
        worker.close()
        group.wait()
      }
      for _ in 0..<3 { serve() }
      """, runs: 200)
    #expect(text.contains(Self.locking + "If the reference that was used owns Job#"), "\(text)")
  }

  @Test(
    "A class that owns such objects has not released one that other code did, and no owner is named",
    arguments: ["-Onone", "-O"])
  func notReleasedByOwner(_ level: String) throws {
    let text = try report(
      """
      class Blob { var size = 7; func count() -> Int { size } }
      final class Store {
        var blob = Blob()
        @inline(never) func count() -> Int { blob.count() }
      }
      final class Decoder {
        @inline(never) func decode(_ blob: UnsafeMutableRawPointer) -> Int {
          Unmanaged<Blob>.fromOpaque(blob).takeRetainedValue().count()
        }
      }
      let store = Store()
      print(Decoder().decode(Unmanaged.passUnretained(store.blob).toOpaque()))
      print(store.count())
      """, level: level)
    #expect(text.contains("error: use-after-free   Blob#1 was messaged "), "\(text)")
    #expect(text.contains("  Its last strong reference was released by Decoder.decode(_:) "), "\(text)")
    #expect(
      text.contains("it was released once too often: look for an Unmanaged.release() or takeRetainedValue() without "),
      "\(text)")
    #expect(text.contains(" its retain, as in Decoder.decode(_:) (main.swift:"), "\(text)")
  }

  @Test(
    "A property that may have given its object away is not said to have released it elsewhere",
    arguments: [
      ("let first = blob; blob = nil; return first", "let taken = store.take()!; return taken.count()"),
      ("defer { blob = nil }; return blob", "kept = store.take(); kept = nil; return 1"),
    ])
  func movedAway(_ take: String, _ consume: String) throws {
    let text = try report(
      """
      class Blob { var size = 7; func count() -> Int { size } }
      final class Store {
        var blob: Blob? = Blob()
        func take() -> Blob? { \(take) }
      }
      final class Viewer {
        unowned(unsafe) var blob: Blob?
        func look() -> Int { blob?.count() ?? 0 }
      }
      final class Consumer {
        var kept: Blob?
        func consume(_ store: Store) -> Int { \(consume) }
      }
      let store = Store(), viewer = Viewer()
      viewer.blob = store.blob
      print(Consumer().consume(store))
      print(viewer.look())
      """)
    #expect(text.contains("error: use-after-free   Blob#1 was "), "\(text)")
    #expect(!text.contains("The last owner of Blob#1 was Store#1.blob"), "\(text)")
  }

  @Test("A property is not called the last owner of what ended in an array that may have come later")
  func movedToArray() throws {
    let text = try report(
      """
      class Item { var size = 1; func count() -> Int { size } }
      class Box {
        var item: Item?
        func unload() -> Item? {
          defer { item = nil }
          return item
        }
      }
      class Trash {
        var items: [Item] = []
        func put(_ box: Box) { if let item = box.unload() { items.append(item) } }
        func empty() { items.removeAll() }
      }
      class Tag {
        unowned(unsafe) var item: Item?
        func show() -> Int { item?.count() ?? 0 }
      }
      func go() {
        let box = Box(), trash = Trash(), tag = Tag()
        box.item = Item()
        tag.item = box.item
        trash.put(box)
        trash.empty()
        print(tag.show())
      }
      go()
      """, level: "-O")
    #expect(text.contains("error: use-after-free   Item#1 was "), "\(text)")
    #expect(!text.contains("The last owner of Item#1 was Box"), "\(text)")
  }

  @Test("A reference that does not own the object is named first, even if the last owner counted manually")
  func handedOver() throws {
    let text = try report(
      """
      final class Context { var hits = 0; func hit() { hits += 1 } }
      final class Watcher {
        unowned(unsafe) var context: Context?
        @inline(never) func poke() { context?.hit() }
      }
      @inline(never) func start(_ watcher: Watcher) -> Unmanaged<Context> {
        let context = Context()
        watcher.context = context
        return .passRetained(context)
      }
      @inline(never) func finish(_ pointer: UnsafeMutableRawPointer) {
        Unmanaged<Context>.fromOpaque(pointer).release()
      }
      let watcher = Watcher()
      let context = start(watcher)
      finish(context.toOpaque())
      watcher.poke()
      """)
    #expect(text.contains("  To change: Make Watcher.context weak, clear it in Context's deinit"), "\(text)")
    #expect(text.contains(" If finish(_:) should not have released its last reference, look for "), "\(text)")
  }

  @Test("Uses of what a freed object referred to are no findings of their own", arguments: ["-Onone", "-O"])
  func consequences(_ level: String) throws {
    let text = try report(
      """
      final class Widget {
        var onTap: ((Widget) -> Void)?
        @inline(never) func tap() { onTap?(self) }
      }
      final class Window {
        var widgets: [Widget] = []
        @inline(never) func add(_ widget: Widget) {
          widget.onTap = { [unowned self] widget in remove(widget) }
          widgets.append(widget)
        }
        @inline(never) func remove(_ widget: Widget) { widgets.removeAll { $0 === widget } }
        @inline(never) func click() {
          unowned(unsafe) let widget = widgets[0]
          widget.tap()
          widget.tap()
        }
      }
      let window = Window()
      window.add(Widget())
      window.click()
      """, level: level)
    let errors = text.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 1, "\(text)")
    #expect(errors.first?.contains("use-after-free   Widget#1 was retained") == true, "\(text)")
  }

  @Test("A library's release is an owner's, though the same statement also took references of its own")
  func releasedByLibrary() throws {
    let text = try report(
      """
      class Child {
        let name: String
        init(_ name: String) { self.name = name }
      }
      final class Parent {
        private(set) var children: [Child] = []
        func add(_ name: String) {
          let child = Child(name)
          children.append(child)
        }
        func drop(_ name: String) {
          children.removeAll { $0.name == name }
        }
      }
      final class Screen {
        unowned(unsafe) var child: Child?
        func show() { print(child?.name ?? "") }
      }
      let parent = Parent(), screen = Screen()
      parent.add("first")
      parent.add("second")
      screen.child = parent.children[0]
      parent.drop("first")
      screen.show()
      """)
    #expect(text.contains("error: use-after-free   Child#1 was "), "\(text)")
    #expect(
      text.contains("The last owner of Child#1 was Parent#1.children, which released it in Parent.drop(_:) (event "),
      "\(text)")
  }

  @Test("Code that nobody wrote has no place in a file", arguments: ["-Onone", "-O"])
  func unwritten(_ level: String) throws {
    let text = try report(
      """
      final class Job { var steps = 0; func run() { steps += 1 } }
      final class Owner { var job: Job? = Job(); func end() { job = nil } }
      final class User { unowned(unsafe) var job: Job?; func use() { job?.run() } }
      @main struct Main {
        static func main() {
          let owner = Owner(), user = User()
          user.job = owner.job
          owner.end()
          user.use()
        }
      }
      """, level: level, ["-parse-as-library"])
    #expect(text.contains("error: use-after-free   Job#1 "), "\(text)")
    #expect(!text.contains("<compiler-generated>"), "\(text)")
  }

  @Test("An object that came through a pointer may have been released once too often", arguments: ["-Onone", "-O"])
  func pointer(_ level: String) throws {
    let text = try report(
      """
      class Request { var parts = 1; func finish() { parts += 1 } }
      final class Bridge {
        var context: UnsafeMutableRawPointer?
        @inline(never) func start() { context = Unmanaged.passRetained(Request()).toOpaque() }
        @inline(never) func complete() {
          let request = Unmanaged<Request>.fromOpaque(context!).takeRetainedValue()
          request.finish()
          print(request.parts)
        }
      }
      let bridge = Bridge()
      bridge.start()
      bridge.complete()
      bridge.complete()
      """, level: level)
    #expect(text.contains("error: use-after-free   Request#1 "), "\(text)")
    #expect(text.contains("an Unmanaged.release() or takeRetainedValue() without its retain"), "\(text)")
  }

  @Test("A reference that two threads replace without a lock is what may have been released twice")
  func replacedByTwo() throws {
    let text = try exploration(
      """
      import Foundation
      class Config { let number: Int; init(_ number: Int) { self.number = number } }
      final class Settings: @unchecked Sendable {
        var config: Config? = Config(0)
        @inline(never) func replace(_ number: Int) { config = Config(number) }
      }
      let settings = Settings()
      DispatchQueue.concurrentPerform(iterations: 2) { _ in for number in 0..<20_000 { settings.replace(number) } }
      """, runs: 50)
    #expect(text.contains(Self.locking), "\(text)")
  }
}
