import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Heaps in which several tasks wait, written by hand.
@Suite struct LostTaskTests {
  private static let allocate: UInt8 = 3
  private static let pane: UInt64 = 0x5000, model: UInt64 = 0x6000
  private static let first: UInt64 = 0x8000, second: UInt64 = 0x9000
  private static let tasks = [HeapTask(number: 2, functions: [0x1400]), HeapTask(number: 3, functions: [0x1500])]

  /// Two tasks with frames; each frame holds an object that the test adds.
  private struct Heap {
    var builder = HeapGraphBuilder()

    init(paneLeadsTo: UInt64?, by property: String = "other", modelLeadsTo: UInt64?) {
      func field(_ name: String) -> [HeapField] { [HeapField(name: name, offset: 16, size: 8)] }
      let pane = builder.addType(HeapType(kind: .object, name: "App.Pane", isOwn: true, fields: field(property)))
      let model = builder.addType(HeapType(kind: .object, name: "App.Model", isOwn: true, fields: field("other")))
      let task = builder.addType(HeapType(kind: .task, name: "(task)"))
      builder.addNode(LostTaskTests.pane, size: 32, type: pane, strongCount: 1)
      builder.addNode(LostTaskTests.model, size: 32, type: model, strongCount: 1)
      for (index, address) in [LostTaskTests.first, LostTaskTests.second].enumerated() {
        builder.addNode(address, size: 128, type: task, strongCount: 1)
        builder.addNode(address + 0x100, size: 64)
        builder.addEdge(from: address, offset: 64, to: address + 0x100)
        let held = index == 0 ? LostTaskTests.pane : LostTaskTests.model
        builder.addEdge(from: address + 0x100, offset: 16, to: held)
        builder.addTask(address, LostTaskTests.tasks[index])
      }
      if let paneLeadsTo { builder.addEdge(from: LostTaskTests.pane, offset: 16, to: paneLeadsTo) }
      if let modelLeadsTo { builder.addEdge(from: LostTaskTests.model, offset: 16, to: modelLeadsTo) }
    }

    func leaks(modelClass: UInt64 = 2) throws -> [Leak] {
      var names = SampleNames()
      names.add(0x10, "main")
      names.add(0x14, "closure #1 in open()")
      names.add(0x15, "closure #2 in open()")
      var trace = TraceBuilder()
      trace.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
      trace.addClass(1, "App.Pane")
      trace.addClass(2, "App.Model")
      trace.addEvents { stream in
        stream.add(LostTaskTests.allocate, LostTaskTests.pane, at: [0x1001], time: 1010, arguments: [1, 32])
        stream.add(LostTaskTests.allocate, LostTaskTests.model, at: [0x1002], time: 1020, arguments: [modelClass, 32])
      }
      let snapshot = HeapSnapshot(process: 1, graph: builder.graph())
      return try trace.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: names) }
        .findings.compactMap(\.leak)
    }
  }

  @Test("Objects of one class for which tasks wait in different functions are separate findings")
  func apart() throws {
    var heap = Heap(paneLeadsTo: nil, modelLeadsTo: nil)
    heap.builder.addNode(Self.model, size: 32, type: 1, strongCount: 1)
    let leaks = try heap.leaks(modelClass: 1)
    #expect(leaks.map(\.cause) == [.task, .task] && leaks.map(\.similar) == [0, 0])
  }

  @Test("Tasks that wait for each other through objects are freed when all of them end, and by nothing else")
  func eachOther() throws {
    let leaks = try Heap(paneLeadsTo: Self.second, modelLeadsTo: Self.first).leaks()
    let leak = try #require(leaks.first)
    #expect(leaks.count == 1 && leak.cause == .cycle)
    #expect(leak.cut?.changes == [.endTasks(Self.tasks)])
    #expect(leak.cut?.isWhole == true)
    #expect(leak.cut?.freed.map { "\($0.count) \($0.className)" } == ["1 App.Model", "1 App.Pane"])
  }

  @Test(
    "A task that waits for the next change of what it observes is to be canceled, and is marked in the path",
    arguments: [
      ("Observation.Observations.State.Continuation<Swift.Int, Swift.Never>", LeakCut.Change.cancel),
      ("App.Waiting", .resume),
    ])
  func observer(_ element: String, _ change: LeakCut.Change) throws {
    let storage: UInt64 = 0x7000
    var heap = Heap(paneLeadsTo: storage, modelLeadsTo: nil)
    let type = heap.builder.addType(HeapType(kind: .storage, name: "Swift._DictionaryStorage<Swift.Int, \(element)>"))
    heap.builder.addNode(storage, size: 64, type: type, strongCount: 1)
    heap.builder.addEdge(from: storage, offset: 32, to: Self.first)
    let leak = try #require(try heap.leaks().first { $0.cause == .cycle })
    #expect(leak.cut?.changes == [change])
    #expect(leak.steps.filter(\.isCut).map(\.kind) == [.task])
  }

  @Test("An actor's queue, which the compiler declares, is not proposed for a change", arguments: [false, true])
  func queueOfActor(_ isActor: Bool) throws {
    let property = isActor ? "$defaultActor" : "other"
    let leaks = try Heap(paneLeadsTo: Self.pane, by: property, modelLeadsTo: nil).leaks()
    let changed = leaks.compactMap(\.cut).flatMap(\.changes).contains {
      $0 == .makeWeak(className: "App.Pane", property: property)
    }
    #expect(!leaks.isEmpty && changed == !isActor)
  }

  @Test("If the cycle of a waiting task keeps that of another one, both have to end")
  func dragged() throws {
    var heap = Heap(paneLeadsTo: Self.first, modelLeadsTo: Self.second)
    heap.builder.addNode(Self.model, size: 32, type: 2, strongCount: 2)
    heap.builder.addEdge(from: Self.pane, offset: 24, to: Self.model)
    let leaks = try heap.leaks()
    #expect(leaks.count == 1)
    #expect(leaks.first?.cut?.changes == [.endTasks(Self.tasks)])
    #expect(leaks.first?.cut?.isWhole == true)
  }

  @Test("If objects also keep each other, a weak reference is needed as well, and both changes are named together")
  func both() throws {
    var heap = Heap(paneLeadsTo: nil, modelLeadsTo: Self.pane)
    heap.builder.addEdge(from: Self.pane, offset: 40, to: Self.second)
    heap.builder.addEdge(from: Self.model, offset: 40, to: Self.first)
    heap.builder.addNode(Self.pane, size: 32, type: 1, strongCount: 2)
    heap.builder.addNode(Self.model, size: 32, type: 2, strongCount: 2)
    heap.builder.addEdge(from: Self.pane, offset: 24, to: Self.model)
    // A stale word in a frame.
    heap.builder.addEdge(from: Self.first + 0x100, offset: 24, to: Self.pane)
    let cut = try #require(heap.leaks().first?.cut)
    #expect(
      cut.changes == [.makeWeak(className: "App.Model", property: "other"), .endTasks(Self.tasks)])
    #expect(cut.isWhole)
  }

  @Test("A task that waits for another is lost with it, which is not a retain cycle though each refers to the other")
  func waiter() throws {
    var heap = Heap(paneLeadsTo: nil, modelLeadsTo: nil)
    heap.builder.addEdge(from: Self.first, offset: 96, to: Self.second)
    heap.builder.addEdge(from: Self.second + 0x100, offset: 24, to: Self.first)
    let leaks = try heap.leaks()
    let leak = try #require(leaks.first)
    #expect(leaks.count == 1 && leak.cause == .task && leak.cut == nil)
    #expect(leak.steps.map(\.kind) == [.task, .memory, .object])
    #expect(leak.steps.first?.waitsIn == [0x1400], "the task that holds the oldest object most directly")
    #expect(leak.lost.map { "\($0.count) \($0.className)" } == ["1 App.Model", "1 App.Pane"])
  }
}
