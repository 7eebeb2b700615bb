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
}
