import LifelineAnalysis
import LifelineHeap
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Paths of cycles in handwritten heaps.
@Suite struct LeakPathTests {
  private static let allocate: UInt8 = 3

  @Test(
    "A cycle is described without C memory, which may contain words of earlier contents, if there is another way",
    arguments: [
      (true, ["Loop.selector", "Selector.channel", "Channel.loop", "Loop."]),
      (false, ["Selector.events", "", "Loop.selector", "Selector."]),
    ])
  func memory(hasChannel: Bool, _ path: [String]) throws {
    var heap = HeapGraphBuilder()
    func type(_ name: String, _ fields: String...) -> Int {
      heap.addType(
        HeapType(
          kind: .object, name: "App.\(name)", isOwn: true,
          fields: fields.enumerated().map { HeapField(name: $1, offset: 16 + $0 * 8, size: 8) }))
    }
    let (loop, selector, channel, events): (UInt64, UInt64, UInt64, UInt64) = (0x5000, 0x6000, 0x7000, 0x8000)
    heap.addNode(loop, size: 24, type: type("Loop", "selector"), strongCount: 1)
    heap.addNode(selector, size: 40, type: type("Selector", "events", "channel"), strongCount: 1)
    heap.addNode(channel, size: 24, type: type("Channel", "loop"), strongCount: 1)
    heap.addNode(events, size: 776)
    heap.addEdge(from: loop, offset: 16, to: selector)
    heap.addEdge(from: selector, offset: 16, to: events)
    heap.addEdge(from: events, offset: 64, to: loop)
    heap.addEdge(from: selector, offset: 24, to: channel)
    if hasChannel { heap.addEdge(from: channel, offset: 16, to: loop) }
    #expect(try steps(heap, [("Loop", loop), ("Selector", selector), ("Channel", channel)]) == path)
  }

  @Test(
    "A cycle is described without an Int that contains an address, if there is another way",
    arguments: [
      (true, ["Loop.selector", "Selector.channel", "Channel.loop", "Loop."]),
      (false, ["Loop.selector", "Selector.key", "Loop."]),
    ])
  func number(hasChannel: Bool, _ path: [String]) throws {
    var heap = HeapGraphBuilder()
    func type(_ name: String, _ fields: [HeapField]) -> Int {
      heap.addType(HeapType(kind: .object, name: "App.\(name)", isOwn: true, fields: fields))
    }
    let (loop, selector, channel): (UInt64, UInt64, UInt64) = (0x5000, 0x6000, 0x7000)
    heap.addNode(
      loop, size: 24, type: type("Loop", [HeapField(name: "selector", offset: 16, size: 8)]), strongCount: 1)
    heap.addNode(
      selector, size: 32,
      type: type(
        "Selector",
        [
          HeapField(name: "key", offset: 16, size: 8, content: .word), HeapField(name: "channel", offset: 24, size: 8),
        ]), strongCount: 1)
    heap.addNode(
      channel, size: 24, type: type("Channel", [HeapField(name: "loop", offset: 16, size: 8)]), strongCount: 1)
    heap.addEdge(from: loop, offset: 16, to: selector)
    heap.addEdge(from: selector, offset: 16, to: loop)
    heap.addEdge(from: selector, offset: 24, to: channel)
    if hasChannel { heap.addEdge(from: channel, offset: 16, to: loop) }
    #expect(try steps(heap, [("Loop", loop), ("Selector", selector), ("Channel", channel)]) == path)
  }

  @Test(
    "A cycle is described without an array's word if it has more words than references, and there is another way",
    arguments: [
      (1, ["Loop.selector", "Selector.channel", "Channel.loop", "Loop."]),
      (2, ["Selector.options", ".", "Loop.selector", "Selector."]),
    ] as [(Int, [String])])
  func element(count: Int, _ path: [String]) throws {
    var heap = HeapGraphBuilder()
    func type(_ name: String, _ names: [String]) -> Int {
      heap.addType(
        HeapType(
          kind: .object, name: "App.\(name)", isOwn: true,
          fields: names.enumerated().map { HeapField(name: $1, offset: 16 + $0 * 8, size: 8) }))
    }
    let (loop, selector, channel, storage): (UInt64, UInt64, UInt64, UInt64) = (0x5000, 0x6000, 0x7000, 0x8000)
    heap.addNode(loop, size: 24, type: type("Loop", ["selector"]), strongCount: count)
    heap.addNode(selector, size: 32, type: type("Selector", ["options", "channel"]), strongCount: 1)
    heap.addNode(channel, size: 32, type: type("Channel", ["loop"]), strongCount: 1)
    heap.addNode(storage, size: 64, type: heap.addType(HeapType(kind: .storage, name: "")), strongCount: 1)
    heap.addEdge(from: loop, offset: 16, to: selector)
    heap.addEdge(from: selector, offset: 16, to: storage)
    heap.addEdge(from: storage, offset: 40, to: loop)
    heap.addEdge(from: selector, offset: 24, to: channel)
    heap.addEdge(from: channel, offset: 16, to: loop)
    let steps = try steps(heap, [("Loop", loop), ("Selector", selector), ("Channel", channel)])
    #expect(steps == path)
  }

  /// The steps of the first finding's cycle.
  private func steps(_ heap: HeapGraphBuilder, _ objects: [(name: String, address: UInt64)]) throws -> [String] {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    for (id, object) in objects.enumerated() { builder.addClass(UInt32(id + 1), "App.\(object.name)") }
    builder.addEvents { stream in
      for (id, object) in objects.enumerated() {
        stream.add(
          Self.allocate, object.address, at: [0x1001], time: 1010 + UInt64(id), arguments: [UInt64(id + 1), 40])
      }
    }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    var names = SampleNames()
    names.add(0x10, "main")
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: names) }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.cause == .cycle)
    return leak.steps.map { $0.kind == .memory ? "" : "\($0.shortClassName).\($0.property ?? "")" }
  }
}
