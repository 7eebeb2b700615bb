import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Objects to which nothing refers because code called what never returns.
@Suite struct LastingVariableTests {
  private static let allocate: UInt8 = 3
  private static let items: [UInt64] = [0x5000, 0x6000, 0x7000]

  /// main 0x10, run 0x11, load 0x12, enqueue 0x13, Item.init 0x14, Store.init 0x15, Slot.init 0x16, fail 0x17,
  /// Slot.fill 0x18, put 0x19, count 0x1B, a thunk 0x1C, its closure 0x1D, visit 0x1F.
  private static func names(isOptimized: Bool?) -> SampleNames {
    var names = SampleNames()
    names.add(0x10, "main", mangled: "main")
    names.add(0x11, "run()", mangled: "$s3App3runyyF")
    names.add(0x12, "load()", mangled: "$s3App4loadAA4ItemCyF")
    names.add(0x13, "enqueue()", mangled: "$s3App7enqueueyyF")
    names.add(0x14, "Item.__allocating_init()", mangled: "$s3App4ItemCACycfC")
    names.add(0x15, "Store.__allocating_init()", mangled: "$s3App5StoreCACycfC")
    names.add(0x16, "Slot.init()", mangled: "$s3App4SlotVACycfC")
    names.add(0x17, "fail(_:)", mangled: "$s3App4failys5NeverOSSF")
    names.add(0x18, "Slot.fill()", mangled: "$s3App4SlotV4fillyyF")
    names.add(0x19, "put(_:)", mangled: "$s3App3putyyAA4ItemCSgzF")
    names.add(0x1B, "count()", mangled: "$s3App5countSiyF")
    names.add(0x1C, "reabstraction thunk", mangled: "$sIeg_IyB_TR")
    names.add(0x1D, "closure #1 in serve()", mangled: "$s3App5serveyyFyycfU_")
    names.add(0x1F, "visit(_:)", mangled: "$s3App5visityyyAA4ItemCXEF")
    names.optimized = Dictionary(uniqueKeysWithValues: (0x10...0x1F).map { ($0, isOptimized) }).compactMapValues { $0 }
    return names
  }

  /// The numbers of the items that are leaked if `fail` called exit, which `run` had called; each was allocated at one
  /// backtrace, outermost call first.
  private func leaked(
    _ backtraces: [[UInt64]], calls: [UInt64] = [0x1705, 0x1120, 0x1030], isOptimized: Bool? = true,
    hasMainThreadEnded: Bool = false, running: [[UInt64]] = [], resuming: [[UInt64]] = [], strongCount: Int = 1,
    isCycle: Bool = false
  ) throws -> [Int] {
    var heap = HeapGraphBuilder()
    let item = heap.addType(HeapType(kind: .object, name: "App.Item", isOwn: true))
    for address in Self.items.prefix(backtraces.count) {
      heap.addNode(address, size: 24, type: item, strongCount: strongCount)
      if isCycle { heap.addEdge(from: address, offset: 16, to: address) }
    }
    let task = heap.addType(HeapType(kind: .task, name: "(task)"))
    for (index, functions) in resuming.enumerated() {
      let address = 0x9000 + UInt64(index) * 0x100
      heap.addNode(address, size: 128, type: task, strongCount: 1)
      heap.addTask(address, HeapTask(number: 7, functions: functions))
      heap.addRoot(.task, to: address)
    }
    heap.exitCalls = calls
    heap.runningCode = running
    heap.hasMainThreadEnded = hasMainThreadEnded
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Item")
    builder.addThread(1, name: "app")
    builder.addEvents { stream in
      for (index, backtrace) in backtraces.enumerated() {
        stream.add(
          Self.allocate, Self.items[index], at: backtrace, time: 1010 + UInt64(index), arguments: [1, 24])
      }
    }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    return try builder.withFile {
      try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names(isOptimized: isOptimized))
    }.lostObjects.map(\.number).sorted()
  }

  @Test("What a running function allocated, or got from a function that it called, is no leak")
  func held() throws {
    #expect(try leaked([[0x1030, 0x1108]]) == [])
    #expect(try leaked([[0x1030, 0x1108, 0x1402]]) == [])
    #expect(try leaked([[0x1030, 0x1108, 0x1202, 0x1402]]) == [])
    #expect(try leaked([[0x1030, 0x1108, 0x1602, 0x1402]]) == [])
    #expect(try leaked([[0x1030, 0x1108]], isOptimized: nil) == [])
  }

  @Test("What a method of a struct, or a function with an inout or function argument, allocated may be in a variable")
  func changed() throws {
    #expect(try leaked([[0x1030, 0x1108, 0x1802, 0x1402]]) == [])
    #expect(try leaked([[0x1030, 0x1108, 0x1902, 0x1402]]) == [])
    #expect(try leaked([[0x1030, 0x1108, 0x1F02, 0x1402]]) == [])
    #expect(try leaked([[0x1030, 0x1108, 0x1802, 0x1402]], isCycle: true) == [1])
  }

  @Test("What was allocated in a call that never returns, as XCTest's of all tests, is no variable's of its caller")
  func neverReturned() throws {
    #expect(try leaked([[0x1030, 0x1108, 0x1705, 0x1302, 0x1402]], calls: [0x1120, 0x1030]) == [1])
  }

  @Test("What a function leaked that returns nothing, or only its own object, is a leak")
  func lost() throws {
    #expect(try leaked([[0x1030, 0x1108, 0x1302, 0x1402]]) == [1])
    #expect(try leaked([[0x1030, 0x1108, 0x1502, 0x1402]]) == [1])
  }

  @Test("What a function leaked that returns a number is a leak")
  func number() throws {
    #expect(try leaked([[0x1030, 0x1108, 0x1B02, 0x1402]]) == [1])
    #expect(try leaked([[0x1030, 0x1108, 0x1B02, 0x1402]], isCycle: true) == [1])
  }

  @Test("A thunk that calls different closures has no variables")
  func thunk() throws {
    #expect(try leaked([[0x1C30, 0x1D02, 0x1402]], calls: [0x1705, 0x1D20, 0x1C30]) == [])
    #expect(try leaked([[0x1C30, 0x1D02, 0x1402]], calls: [0x1705, 0x1120, 0x1C30]) == [1])
    #expect(try leaked([[0x1C30, 0x1402]], calls: [0x1705, 0x1120, 0x1C30]) == [])
  }

  @Test("In unoptimized code, and in functions that have returned, what nothing refers to is a leak")
  func unoptimized() throws {
    #expect(try leaked([[0x1030, 0x1108]], isOptimized: false) == [1])
    #expect(try leaked([[0x1030, 0x1108]], calls: []) == [1])
    #expect(try leaked([[0x1030, 0x1108]], calls: [0x1030]) == [1])
    #expect(try leaked([[0x1030, 0x1202, 0x1402]], calls: [0x1030]) == [])
  }

  @Test("What the main thread allocated before it ended in a function that never returns is no leak")
  func ended() throws {
    #expect(try leaked([[0x1030, 0x1108, 0x1302]], calls: []) == [1])
    #expect(try leaked([[0x1030, 0x1108, 0x1302]], calls: [], hasMainThreadEnded: true) == [])
    #expect(try leaked([[0x1030, 0x1108], [0x1030, 0x1108]], calls: [], hasMainThreadEnded: true) == [1])
  }

  @Test("What it allocated in a function that had returned when it allocated another object is a leak")
  func returned() throws {
    func leaked(_ first: [UInt64], _ second: [UInt64] = [0x1040, 0x1402]) throws -> [Int] {
      try self.leaked([[0x1E08] + first, [0x1E08] + second], calls: [], hasMainThreadEnded: true)
    }
    #expect(try leaked([0x1030, 0x1108, 0x1302]) == [1])
    #expect(try leaked([0x1030, 0x1B02]) == [1])
    #expect(try leaked([0x1030, 0x1202]) == [])
    #expect(try leaked([0x1030, 0x1108, 0x1302], [0x1030, 0x1120, 0x1402]) == [1])
    #expect(try leaked([0x1030, 0x1108], [0x1030, 0x1120, 0x1402]) == [])
    // It may run on a coroutine's stack, which is still there.
    let elsewhere: [[UInt64]] = [[0x1130, 0x1302], [0x1040, 0x1402]]
    #expect(try self.leaked(elsewhere, calls: [], hasMainThreadEnded: true) == [])
  }

  @Test("What a function allocated that another thread or a task still runs is no leak")
  func running() throws {
    #expect(try leaked([[0x1030, 0x1108]], calls: []) == [1])
    #expect(try leaked([[0x1030, 0x1108]], calls: [], running: [[0x1120]]) == [])
    #expect(try leaked([[0x1030, 0x1108]], calls: [], resuming: [[0x1100]]) == [])
    #expect(try leaked([[0x1030, 0x1108]], calls: [], isOptimized: false, running: [[0x1120]]) == [1])
    #expect(try leaked([[0x1030, 0x1108, 0x1302]], calls: [], running: [[0x1120]]) == [1])
  }

  @Test("Of a cycle's object, whose references are all its own, no variable of a running function has one")
  func runningCycle() throws {
    #expect(try leaked([[0x1030, 0x1108]], calls: [], running: [[0x1120]], isCycle: true) == [1])
    #expect(try leaked([[0x1030, 0x1108]], calls: [], running: [[0x1120]], strongCount: 2, isCycle: true) == [])
  }

  @Test("Where functions have no names, as many objects of a class as calls may be in variables")
  func unnamed() throws {
    let two = [[0x1030, 0x1302], [0x1030, 0x1302]] as [[UInt64]]
    #expect(try leaked(two, calls: [], running: [[0x1A20]]) == [1, 2])
    #expect(try leaked(two, calls: [], running: [[0x1A20], [0x1A20]]) == [])
    #expect(try leaked([[0x1030, 0x1302]], calls: [0x1A20]) == [])
    #expect(try leaked([[0x1030, 0x1302]], calls: [0x1A20], isCycle: true) == [1])
  }

  @Test("As many threads and tasks run a function, as many of its objects variables may hold")
  func several() throws {
    let three = [[0x1030, 0x1108], [0x1030, 0x1108], [0x1030, 0x1108]] as [[UInt64]]
    #expect(try leaked(three, calls: [], running: [[0x1120]]) == [1, 2])
    #expect(try leaked(three, calls: [], running: [[0x1120, 0x1130], [0x1120]]) == [1])
    #expect(try leaked(three, calls: [], running: [[0x1120]], resuming: [[0x1100], [0x1100, 0x1000]]) == [])
    #expect(try leaked(three, running: [[0x1120]]) == [1])
    // One stack still has a return address in `load`, which has returned.
    let loaded = [[0x1030, 0x1108, 0x1202], [0x1030, 0x1108, 0x1202]] as [[UInt64]]
    #expect(try leaked(loaded, calls: [], running: [[0x1120, 0x1209], [0x1120]]) == [])
  }

  @Test("Of several objects with one backtrace a variable holds only the youngest")
  func youngest() throws {
    #expect(try leaked([[0x1030, 0x1108], [0x1030, 0x1108], [0x1030, 0x1109]]) == [1])
  }
}
