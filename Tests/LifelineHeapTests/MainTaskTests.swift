import LifelineHeap
import Testing

/// What the task of an asynchronous main function holds lives as long as the program.
@Suite("The main function's task", .timeLimit(.minutes(60)))
struct MainTaskTests {
  private static let task: UInt64 = 0x1000, frame: UInt64 = 0x2000, server: UInt64 = 0x3000
  private static let resumption: UInt64 = 0x4000_0010

  /// A task that nothing can resume, with an object in its frame; `at` is the frame's place in the task.
  private func heap(number: UInt32, at offset: Int = 64) -> HeapGraph {
    var heap = HeapGraphBuilder()
    let type = heap.addType(HeapType(kind: .task, name: "(task)"))
    let own = heap.addType(HeapType(kind: .object, name: "App.Server", isOwn: true))
    heap.addNode(Self.task, size: 128, type: type, strongCount: 1)
    heap.addNode(Self.frame, size: 64)
    heap.addNode(Self.server, size: 32, type: own, strongCount: 1)
    heap.addEdge(from: Self.task, offset: offset, to: Self.frame)
    heap.addEdge(from: Self.frame, offset: 16, to: Self.server)
    heap.addTask(Self.task, HeapTask(number: number, functions: [0x4000_0000, Self.resumption]))
    return heap.graph()
  }

  /// The lost groups, if the outermost function has a name or none.
  private func lost(_ graph: HeapGraph, _ name: String?) -> Int {
    let whole = graph.keepingMainTask { $0 == Self.resumption ? name : nil }
    return LostGroup.groups(in: whole).count
  }

  @Test("The main function's task is recognized by its name, whatever its number")
  func named() {
    #expect(lost(heap(number: 1), "async_MainTY0_") == 0)
    #expect(lost(heap(number: 7), "async_MainTY0_") == 0)
    #expect(lost(heap(number: 1), "$s3App4openyyYaYbcfU_TY0_") == 1)
  }

  @Test("Without names the first task may be the main function's, and a later one is not")
  func unnamed() {
    #expect(lost(heap(number: 1), nil) == 0)
    #expect(lost(heap(number: 2), nil) == 1)
  }

  @Test("Without a recording, what nothing refers to may belong to a main thread that has ended; a cycle is reported")
  func endedThread() {
    var heap = HeapGraphBuilder()
    let own = heap.addType(HeapType(kind: .object, name: "App.Server", isOwn: true))
    for address in [0x1000, 0x2000, 0x3000] as [UInt64] { heap.addNode(address, size: 32, type: own, strongCount: 1) }
    heap.addEdge(from: 0x2000, offset: 16, to: 0x3000)
    heap.addEdge(from: 0x3000, offset: 16, to: 0x2000)
    func lost(_ heap: HeapGraphBuilder) -> (groups: Int, notes: [String]) {
      let snapshot = HeapSnapshot(process: 1, graph: heap.graph()).keepingMainVariables()
      return (LostGroup.groups(in: snapshot.graph).count, snapshot.notes)
    }
    #expect(lost(heap).groups == 2 && lost(heap).notes.isEmpty)
    heap.hasMainThreadEnded = true
    #expect(lost(heap).groups == 1)
    #expect(
      lost(heap).notes == [
        "The main thread has ended, as in dispatchMain(). What nothing refers to may belong to its variables, and is "
          + "not reported; lifeline check distinguishes it."
      ])
    // An asynchronous main function has left the thread, and has its variables in its task.
    let task = heap.addType(HeapType(kind: .task, name: "(task)"))
    heap.addNode(0x4000, size: 128, type: task, strongCount: 1)
    heap.addTask(0x4000, HeapTask(number: 1, functions: [Self.resumption]))
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    for (name, expected) in [("async_MainTY0_", 2), ("$s3App5serveyyYaFTY0_", 1)] {
      let whole = snapshot.keepingMainTask { _ in name }.keepingMainVariables().graph
      #expect(LostGroup.groups(in: whole).count == expected)
    }
  }

  @Test("Without a recording, variables of optimized functions that have not returned may hold as many of a class")
  func running() {
    var heap = HeapGraphBuilder()
    let own = heap.addType(HeapType(kind: .object, name: "App.Server", isOwn: true))
    for address in [0x1000, 0x2000] as [UInt64] { heap.addNode(address, size: 32, type: own, strongCount: 1) }
    heap.addNode(0x3000, size: 32, type: own, strongCount: 1)
    heap.addEdge(from: 0x3000, offset: 16, to: 0x3000)
    func lost(_ code: [[UInt64]], _ isOptimized: Bool?) -> (groups: Int, notes: [String]) {
      heap.runningCode = code
      let whole = HeapSnapshot(process: 1, graph: heap.graph()).keepingRunningVariables { _ in isOptimized }
      return (LostGroup.groups(in: whole.graph).count, whole.notes)
    }
    #expect(lost([[Self.resumption]], true).groups == 3 && lost([[Self.resumption]], true).notes.isEmpty)
    #expect(lost([[Self.resumption], [Self.resumption]], false).groups == 3)
    #expect(lost([[Self.resumption], [Self.resumption]], nil).groups == 1)
    #expect(
      lost([[Self.resumption], [Self.resumption]], true).notes == [
        "What nothing refers to may belong to variables of optimized functions that have not returned, and is not "
          + "reported: 2 Server; lifeline check distinguishes it."
      ])
  }

  @Test("A task that has ended is not the main function's")
  func ended() { #expect(lost(heap(number: 1, at: 80), nil) == 1) }
}
