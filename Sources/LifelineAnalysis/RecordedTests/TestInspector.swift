import LifelineTrace

/// Counts the objects of each test in a pass of its own.
///
/// An object belongs to a test if the backtrace of its allocation passes through the test or a closure that is written
/// in it, or if the allocating task's did so before. What else is done on a test's own queues and threads cannot be
/// distinguished from other tests' work and belongs to none.
public struct TestInspector {
  private struct Owned {
    let test: Int
    let bytes: Int
  }

  /// In the order in which the tests began to allocate.
  public private(set) var tests: [TestCost] = []
  /// Objects that were allocated outside of any test.
  public private(set) var otherObjects = 0

  private let trace: Trace
  private var finder: TestFinder
  private var backtraces = BacktraceTable()
  private var indexByName: [String: Int] = [:]
  private var testOfTask: [UInt64: Int] = [:]
  private var owned: [UInt64: Owned] = [:]

  /// - Throws: `TraceError` if the file can no longer be read.
  public init(_ trace: Trace, names: any CodeNaming) throws {
    self.trace = trace
    finder = TestFinder(names: names)
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) {
      switch event.kind {
      case .allocate: allocate(event, reader.intern(into: &backtraces))
      case .retain: if let object = owned[event.object] { tests[object.test].retains += 1 }
      case .free: if let object = owned.removeValue(forKey: event.object) { tests[object.test].free(object.bytes) }
      default: break
      }
    }
  }

  private mutating func allocate(_ event: Event, _ backtrace: BacktraceID) {
    // Its free was not seen, but the address was reused.
    if let missed = owned.removeValue(forKey: event.object) { tests[missed.test].free(missed.bytes) }
    guard let test = test(event, backtrace) else {
      otherObjects += 1
      return
    }
    let classID = Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)
    let bytes =
      event.argument1 == 0
      ? trace.tables.classes[classID]?.instanceSize ?? 0 : Int(truncatingIfNeeded: event.argument1 & 0x7FFF_FFFF)
    tests[test].allocate(bytes)
    owned[event.object] = Owned(test: test, bytes: bytes)
  }

  private mutating func test(_ event: Event, _ backtrace: BacktraceID) -> Int? {
    guard let name = finder.test(of: backtrace, in: backtraces) else {
      return event.task == 0 ? nil : testOfTask[event.task]
    }
    let index = indexByName[name] ?? tests.count
    if index == tests.count {
      tests.append(TestCost(name: name))
      indexByName[name] = index
    }
    // The suite's initializer runs in the test's task, before it.
    if event.task != 0, !name.contains(".init(") { testOfTask[event.task] = index }
    return index
  }
}
