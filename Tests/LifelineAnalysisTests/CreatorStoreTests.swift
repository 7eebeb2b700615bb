import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// References that a getter or a closure's creator stored, from handwritten heaps and traces in which an address's last
/// digits are the line.
@Suite struct CreatorStoreTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3
  private static let worker: UInt64 = 0x5000, item: UInt64 = 0x6000, context: UInt64 = 0x7000

  /// main 0x10, the getter 0x11 and the setter 0x12 of Worker.item, a subscript's getter 0x13, Worker.start 0x14, and
  /// what the compiler makes for a method that this passes: 0x15, which creates 0x16; a closure in it 0x17,
  /// at line 9, and what that is given to, 0x18.
  private static var names: SampleNames {
    var names = SampleNames()
    names.hasLines = true
    names.add(0x10, "main")
    names.add(0x11, "Worker.item.getter")
    names.add(0x12, "Worker.item.setter")
    names.add(0x13, "Worker.subscript.getter")
    names.add(0x14, "Worker.start()")
    names.add(0x15, "implicit closure #1 in Worker.start()")
    names.add(0x16, "implicit closure #2 in implicit closure #1 in Worker.start()")
    names.add(0x17, "closure #1 in Worker.start()")
    names.add(0x18, "Signal.observe(_:)", mangled: "$s3App6SignalC7observeyyyycF")
    names.closureLines = [0x17: 9]
    names.optimized = [0x10: false, 0x11: false, 0x12: false, 0x13: false, 0x14: false, 0x15: false, 0x16: false]
    return names
  }

  /// Return addresses, one byte after the call, outermost function first.
  private func at(_ places: (function: UInt64, line: UInt64)...) -> [UInt64] {
    places.map { $0.function << 8 + $0.line + 1 }
  }

  private func finding(_ heap: HeapGraphBuilder, _ fill: (inout StreamBuilder) -> Void) throws -> Finding {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Worker", flags: 1)
    builder.addClass(2, "App.Item", flags: 1)
    builder.addClass(3, "app.(closure context)", flags: 1)
    builder.addEvents { fill(&$0) }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names) }
    return try #require(diagnosis.findings.first)
  }

  private func stores(of property: String, _ finding: Finding) -> [UInt64]? {
    finding.leak?.steps.first { $0.property == property }?.stores.map(\.event.sequence)
  }

  private var cycle: HeapGraphBuilder { .cycle(worker: Self.worker, item: Self.item) }

  /// Worker.handler, a function with a context that captured the worker.
  private var handler: HeapGraphBuilder {
    var builder = HeapGraphBuilder()
    let field = HeapField(name: "handler", offset: 16, size: 16)
    let worker = builder.addType(HeapType(kind: .object, name: "App.Worker", isOwn: true, fields: [field]))
    let context = builder.addType(HeapType(kind: .closure, name: "(closure context)"))
    builder.addNode(Self.worker, size: 32, type: worker, strongCount: 1)
    builder.addNode(Self.context, size: 24, type: context, strongCount: 1)
    builder.addEdge(from: Self.worker, offset: 24, to: Self.context, function: 0x1601)
    builder.addEdge(from: Self.context, offset: 16, to: Self.worker)
    return builder
  }

  @Test("A getter that creates an object gives it what it takes")
  func getter() throws {
    let finding = try finding(cycle) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 5)))
      stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x13, 5)), time: 1020, arguments: [2, 24])
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores(of: "owner", finding) == [2])
  }

  @Test("A lazy property's object is held from its allocation by the getter on, unless the setter had it")
  func lazy() throws {
    func finding(isSet: Bool) throws -> Finding {
      try self.finding(cycle) { stream in
        stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
        stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x11, 4)), time: 1020, arguments: [2, 24])
        stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23), (isSet ? 0x12 : 0x11, 5)))
        stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x14, 6)))
        stream.add(Self.release, Self.item, count: 1, at: at((0x10, 24)))
        stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
      }
    }
    #expect(try stores(of: "item", finding(isSet: false)) == [2])
    #expect(try stores(of: "item", finding(isSet: true)) != [2])
  }

  @Test("A method that is passed captures its object where the compiler's closure for it is created")
  func method() throws {
    let finding = try finding(handler) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 32])
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x14, 9), (0x15, 9)))
      stream.add(Self.allocate, Self.context, at: at((0x10, 23), (0x14, 9), (0x15, 9)), time: 1020, arguments: [3, 24])
      stream.add(Self.retain, Self.worker, count: 3, at: at((0x10, 25), (0x14, 12)))
      stream.add(Self.release, Self.worker, count: 2, at: at((0x10, 26)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 30)))
    }
    let step = try #require(finding.leak?.steps.first { $0.kind == .closure })
    #expect(step.stores.map(\.event.sequence) == [2])
  }

  @Test("Of several references that a closure's creator took at one line, the one next to the context's is captured")
  func nearest() throws {
    let finding = try finding(handler) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 32])
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x14, 9), (0x15, 9)))
      stream.add(Self.retain, Self.worker, count: 3, at: at((0x10, 23), (0x14, 9), (0x15, 9)))
      stream.add(Self.allocate, Self.context, at: at((0x10, 23), (0x14, 9), (0x15, 9)), time: 1020, arguments: [3, 24])
      stream.add(Self.release, Self.worker, count: 2, at: at((0x10, 26)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 30)))
    }
    let step = try #require(finding.leak?.steps.first { $0.kind == .closure })
    #expect(step.stores.map(\.event.sequence) == [3])
    let open = finding.lifetime?.holds.filter { $0.to == nil } ?? []
    #expect(open.map(\.holder) == [.closure] && open.map(\.from) == [3])
  }

  @Test("A closure captured its object on its own line, not where a later statement used the object")
  func laterStatement() throws {
    var heap = HeapGraphBuilder()
    let field = HeapField(name: "handler", offset: 16, size: 16)
    let type = heap.addType(HeapType(kind: .object, name: "App.Worker", isOwn: true, fields: [field]))
    heap.addNode(Self.worker, size: 32, type: type, strongCount: 1)
    heap.addEdge(from: Self.worker, offset: 24, to: Self.worker, function: 0x1701)
    func stores(isPassed: Bool) throws -> [UInt64]? {
      let finding = try finding(heap) { stream in
        stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 32])
        let start: (function: UInt64, line: UInt64) = (0x14, isPassed ? 9 : 8)
        stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), start))
        stream.add(Self.retain, Self.worker, count: 3, at: at((0x10, 23), start))
        stream.add(Self.retain, Self.worker, count: 4, at: at((0x10, 23), start, (0x18, 5)))
        stream.add(Self.release, Self.worker, count: 3, at: at((0x10, 23), start))
        stream.add(Self.release, Self.worker, count: 2, at: at((0x10, 23), start))
        stream.add(Self.retain, Self.worker, count: 3, at: at((0x10, 23), (0x14, 10)))
        stream.add(Self.release, Self.worker, count: 2, at: at((0x10, 23), (0x14, 12)))
        stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 30)))
      }
      return finding.leak?.steps.first { $0.kind == .closure }?.stores.map(\.event.sequence)
    }
    let passed = try stores(isPassed: true), later = try stores(isPassed: false)
    #expect(passed == [2])
    #expect(later == [])
  }

  @Test("The only reference that is left is that of the holder in memory, whatever code took it")
  func onlyHolder() throws {
    let finding = try finding(handler) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 32])
      stream.add(Self.allocate, Self.context, at: at((0x10, 23), (0x14, 9)), time: 1020, arguments: [3, 24])
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 25), (0x14, 12)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 25), (0x14, 12)))
    }
    let open = finding.lifetime?.holds.filter { $0.to == nil } ?? []
    #expect(open.map(\.holder) == [.closure])
  }

  @Test("The reference by a closure that only a library's lost object keeps is the closure's")
  func libraryHolder() throws {
    var heap = HeapGraphBuilder()
    let field = HeapField(name: "_fire", offset: 16, size: 16)
    let timer = heap.addType(HeapType(kind: .object, name: "Foundation.Timer", isOwn: false, fields: [field]))
    let context = heap.addType(HeapType(kind: .closure, name: "(closure context)"))
    let worker = heap.addType(HeapType(kind: .object, name: "App.Worker", isOwn: true, fields: []))
    heap.addNode(0x8000, size: 32, type: timer, strongCount: 1)
    heap.addNode(Self.context, size: 24, type: context, strongCount: 1)
    heap.addNode(Self.worker, size: 32, type: worker, strongCount: 1)
    heap.addEdge(from: 0x8000, offset: 24, to: Self.context, function: 0x1601)
    heap.addEdge(from: Self.context, offset: 16, to: Self.worker)
    let finding = try finding(heap) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 32])
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 25), (0x14, 12)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 25), (0x14, 12)))
    }
    let open = finding.lifetime?.holds.filter { $0.to == nil } ?? []
    #expect(open.map(\.holder) == [.closure])
  }
}
