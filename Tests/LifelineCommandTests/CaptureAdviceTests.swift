import LifelineTestSupport
import Testing

/// What is advised for a closure that captured an object without counting the reference.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct CaptureAdviceTests {
  private func suggestion(_ source: String, _ level: String = "-Onone") throws -> String {
    let program = try TestProgram(source, options: ["-g", level, "-module-name", "App"])
    let report = try withTemporaryFolder { try lifeline(["check", "-q", "--", program.path], in: $0) }
    #expect(report.status == 1)
    let line = report.output.split(separator: "\n").first { $0.hasPrefix("  To change: ") }
    return line.map { String($0.dropFirst(13)) } ?? ""
  }

  private func panel(capture: String, use: String) -> String {
    """
    final class Bus {
      var handlers: [(Int) -> Void] = []
      @inline(never) func publish(_ value: Int) { for handler in handlers { handler(value) } }
    }
    class Panel {
      var total = 0
      func add(_ value: Int) { total += value }
      init(_ bus: Bus) {
        bus.handlers.append { [\(capture)] value in
          \(use)
        }
      }
    }
    final class Screen {
      var panel: Panel?
      @inline(never) func close() { panel = nil }
    }
    let bus = Bus(), screen = Screen()
    screen.panel = Panel(bus)
    bus.publish(1)
    screen.close()
    bus.publish(2)
    """
  }

  private static let rest =
    "Otherwise make the reference weak, clear it in Panel's deinit, or hold the object strongly for as long as it "
    + "is used."

  private static let weakly = ", capture it weakly ([weak self]). \(rest)"

  @Test("The closure is named where it captures self; the condition says how")
  func named() throws {
    #expect(
      try suggestion(panel(capture: "unowned(unsafe) self", use: "self.add(value)"))
        == "If the closure at main.swift:9 captured self [unowned(unsafe)]\(Self.weakly)")
    #expect(
      try suggestion(panel(capture: "unowned self", use: "self.add(value)"))
        == "If the closure at main.swift:9 captured self [unowned]\(Self.weakly)")
    #expect(
      try suggestion(
        panel(capture: "raw = Unmanaged.passUnretained(self)", use: "raw.takeUnretainedValue().add(value)"))
        == "If the closure at main.swift:9 captured Panel#1 as an Unmanaged, capture it weakly. \(Self.rest)")
  }

  @Test("A method's closure may capture another object of its class", arguments: ["-Onone", "-O"])
  func another(_ level: String) throws {
    let advice = try suggestion(
      """
      final class Panel {
        var handlers: [() -> Void] = []
        var total = 0
        @inline(never) func add() { total += 1; print(total) }
        func follow(_ other: Panel) {
          handlers.append { [unowned(unsafe) other] in
            self.add()
            other.add()
          }
        }
      }
      final class Screen {
        var panel: Panel? = Panel()
        @inline(never) func close() { panel = nil }
      }
      let screen = Screen(), first = Panel()
      first.follow(screen.panel!)
      screen.close()
      first.handlers[0]()
      """, level)
    #expect(
      advice.hasPrefix(
        "If the closure at main.swift:6 captured other [unowned(unsafe)], capture it weakly ([weak other])"))
  }

  @Test("In optimized code, too, the closure is named")
  func optimized() throws {
    let advice = try suggestion(panel(capture: "unowned(unsafe) self", use: "self.add(value)"), "-O")
    #expect(advice.hasPrefix("If ") && advice.contains("losure") && advice.contains("[unowned(unsafe)]"), "\(advice)")
  }

  @Test("An asynchronous closure is named by its beginning, not by where it went on")
  func asynchronous() throws {
    let advice = try suggestion(
      """
      class Panel: @unchecked Sendable {
        var total = 0
        func show(_ value: Int) { total += value }
        func load(_ values: AsyncStream<Int>) -> Task<Void, Never> {
          Task { [unowned(unsafe) self] in
            var sum = 0
            for await value in values { sum += value }
            self.show(sum)
          }
        }
      }
      final class Screen {
        var panel: Panel? = Panel()
        @inline(never) func close() { panel = nil }
      }
      let (values, continuation) = AsyncStream<Int>.makeStream(), screen = Screen()
      let task = screen.panel!.load(values)
      continuation.yield(1)
      screen.close()
      continuation.finish()
      await task.value
      """)
    #expect(
      advice == "If the closure at main.swift:5 captured self [unowned(unsafe)]\(Self.weakly)")
  }

  @Test("A closure that was given the object is not named, but the one that called it")
  func given() throws {
    let advice = try suggestion(
      """
      class Panel { var total = 0; func add(_ value: Int) { total += value } }
      struct Handle {
        let raw: Unmanaged<Panel>
        @inline(never) func call(_ body: (Panel) -> Void) { body(raw.takeUnretainedValue()) }
      }
      final class Screen {
        var panel: Panel? = Panel()
        var handler: ((Int) -> Void)?
        func open() {
          let handle = Handle(raw: .passUnretained(panel!))
          handler = { value in
            handle.call { $0.add(value) }
          }
        }
        @inline(never) func close() { panel = nil }
      }
      let screen = Screen()
      screen.open()
      screen.close()
      screen.handler!(1)
      """)
    #expect(
      advice == "If the closure at main.swift:11 captured Panel#1 as an Unmanaged, capture it weakly. \(Self.rest)")
  }

  @Test("If a struct's method used the object by the struct's reference, that is named, not who captured the struct")
  func capturedStruct() throws {
    let advice = try suggestion(
      """
      class Panel { var total = 0; func add(_ value: Int) { total += value } }
      struct Handle {
        unowned(unsafe) let panel: Panel
        @inline(never) func add(_ value: Int) { panel.add(value) }
      }
      final class Screen {
        var panel: Panel? = Panel()
        var handler: ((Int) -> Void)?
        func open() {
          let handle = Handle(panel: panel!)
          handler = { value in handle.add(value) }
        }
        @inline(never) func close() { panel = nil }
      }
      let screen = Screen()
      screen.open()
      screen.close()
      screen.handler!(1)
      """)
    #expect(advice.hasPrefix("If Handle.panel, an unowned(unsafe) reference, was used, make it weak. "), "\(advice)")
  }

  @Test("A generic class's reference is named as it is declared, without what an object was made for")
  func generic() throws {
    let advice = try suggestion(
      """
      class Panel { var total = 0; func add(_ value: Int) { total += value } }
      final class Link<Value: Panel> {
        unowned(unsafe) let end: Value
        init(_ end: Value) { self.end = end }
        @inline(never) func send() { end.add(1) }
      }
      final class Screen {
        var panel: Panel? = Panel()
        @inline(never) func close() { panel = nil }
      }
      let screen = Screen()
      let link = Link<Panel>(screen.panel!)
      screen.close()
      link.send()
      """)
    #expect(advice.hasPrefix("Make Link.end weak, "), "\(advice)")
  }

  @Test("If no closure captures such an object that way, the only uncounted reference in the program is named")
  func unmentioned() throws {
    let advice = try suggestion(
      """
      class Panel { var total = 0; func add(_ value: Int) { total += value } }
      struct Slot { unowned(unsafe) var panel: Panel }
      final class Screen {
        var panel: Panel? = Panel()
        @inline(never) func close() { panel = nil }
      }
      nonisolated(unsafe) var slots: [Slot] = []
      let screen = Screen()
      slots.append(Slot(panel: screen.panel!))
      screen.close()
      slots.forEach { $0.panel.add(1) }
      """)
    #expect(
      advice.hasPrefix("If Slot.panel, an unowned(unsafe) reference, was used, make it weak. Otherwise "), "\(advice)")
  }

  @Test("A release that a closure made for a lock does not hide the only uncounted reference")
  func inClosure() throws {
    let advice = try suggestion(
      """
      class Entry { var uses = 0; func use() -> Int { uses += 1; return uses } }
      struct Slot { let entry: Unmanaged<Entry> }
      @inline(never) func locked<T>(_ body: () -> T) -> T { body() }
      @inline(never) func use(_ slot: Slot) -> Int { slot.entry.takeUnretainedValue().use() }
      final class Cache {
        var entries: [String: Entry] = [:]
        var slots: [Slot] = []
        @inline(never) func add(_ key: String) {
          let entry = Entry()
          locked {
            entries[key] = entry
            slots.append(Slot(entry: .passUnretained(entry)))
          }
        }
        @inline(never) func evict(_ key: String) { locked { _ = entries.removeValue(forKey: key) } }
        @inline(never) func hit() -> Int { locked { use(slots[0]) } }
      }
      let cache = Cache()
      cache.add("a")
      cache.evict("a")
      print(cache.hit())
      """)
    #expect(
      advice.hasPrefix("If Slot.entry, an unmanaged reference, was used, keep a weak reference there instead or "),
      "\(advice)")
  }

  @Test("A closure is not named if its captures are known and none is such a reference", arguments: ["-Onone", "-O"])
  func notCaptured(_ level: String) throws {
    let advice = try suggestion(
      """
      struct Sample { let name: String, value: Double }
      final class Meter {
        var listeners: [(Sample) -> Void] = []
        var depth = 0
        @inline(never) func nested(_ body: () -> Void) { depth += 1; body(); depth -= 1 }
        func report(_ name: String, _ value: Double) {
          let sample = Sample(name: name, value: value)
          nested { for listener in self.listeners { listener(sample) } }
        }
      }
      final class Panel {
        var sum = 0.0
        @inline(never) func add(_ sample: Sample) { if !sample.name.isEmpty { sum += sample.value } }
      }
      final class Window {
        let panel = Panel()
        init(_ meter: Meter) { meter.listeners.append { [unowned(unsafe) panel] sample in panel.add(sample) } }
      }
      final class Desk { var window: Window? }
      let meter = Meter(), desk = Desk()
      desk.window = Window(meter)
      meter.report("a", 1)
      desk.window = nil
      meter.report("b", 2)
      """, level)
    #expect(!advice.contains("main.swift:8"), "\(advice)")
    #expect(advice.hasSuffix(Self.rest.dropFirst("Otherwise make".count)), "\(advice)")
  }

  @Test("Optimized code that removes an owner in one statement did not release by hand", arguments: ["-Onone", "-O"])
  func removed(_ level: String) throws {
    let advice = try suggestion(
      """
      import Dispatch
      final class Panel {
        private(set) var width = 80
        private let name: String
        init(name: String) { self.name = name }
        func resize(to value: Int) { width = value }
        var label: String { "\\(name): \\(width)" }
      }
      final class Screen {
        let panel: Panel
        private let queue: DispatchQueue
        init(name: String, queue: DispatchQueue) {
          panel = Panel(name: name)
          self.queue = queue
        }
        func shrink(_ by: Int) {
          queue.async { [unowned(unsafe) panel] in
            panel.resize(to: panel.width - by)
          }
        }
      }
      final class Desk {
        private let queue = DispatchQueue(label: "desk")
        private var screens: [String: Screen] = [:]
        init(_ names: [String]) { for name in names { screens[name] = Screen(name: name, queue: queue) } }
        func shrink(_ name: String, _ by: Int) { screens[name]?.shrink(by) }
        func close(_ name: String) -> String? { screens.removeValue(forKey: name)?.panel.label }
        func pause() { queue.suspend() }
        func resume() { queue.resume(); queue.sync {} }
      }
      func work() {
        let desk = Desk(["a", "b"])
        desk.pause()
        desk.shrink("b", 20)
        print(desk.close("b") ?? "-")
        desk.resume()
        print(desk.close("a") ?? "-")
      }
      work()
      """, level)
    #expect(advice.hasPrefix("If the closure at main.swift:17 captured panel [unowned(unsafe)]"), "\(advice)")
  }

  @Test("A closure that refers to itself through a captured variable is advised by that variable's name and type")
  func recursive() throws {
    func report(_ declaration: String, _ call: String) throws -> String {
      let program = try TestProgram(
        """
        final class Cursor { var position = 0 }
        func parse() {
          let cursor = Cursor()
          var most = 0
          var step: \(declaration)
          step = { cursor.position += 1; most = max(most, cursor.position); if most < 3 { \(call) } }
          \(call)
        }
        parse()
        """, options: ["-g", "-Onone", "-module-name", "App"])
      return try withTemporaryFolder { try lifeline(["check", "-q", "--", program.path], in: $0) }.output
    }
    let path = "closure at main.swift:6 → captured variable step of main.swift:5 → closure at main.swift:6"
    let optional = try report("(() -> Void)?", "step?()")
    #expect(optional.contains(path), "\(optional)")
    #expect(
      optional.contains(
        "To change: Set the variable step that the closure at main.swift:6 captures to nil when it is no longer "))
    let other = try report("() -> Void = {}", "step()")
    #expect(other.contains(path), "\(other)")
    #expect(
      other.contains(
        "To change: Set the variable step that the closure at main.swift:6 captures to a closure without captures, or "
          + "to nil if it is made optional, when it is no longer needed."))
  }
}
