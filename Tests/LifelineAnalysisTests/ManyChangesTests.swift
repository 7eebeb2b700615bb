import LifelineAnalysis
import LifelineHeap
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// An object whose children all refer back to it.
@Suite struct ManyChangesTests {
  /// The properties that a proposal makes weak, in order of their names.
  private func weakened(children: Int, extra: Int = 0, module: String = "App") throws -> [String]? {
    let screen: UInt64 = 0x5000, child: UInt64 = 0x6000
    let properties = (0..<children).map { HeapField(name: "child\($0)", offset: 16 + $0 * 8, size: 8) }
    var heap = HeapGraphBuilder()
    let screens = heap.addType(HeapType(kind: .object, name: "App.Screen", isOwn: true, fields: properties))
    heap.addNode(screen, size: 16 + children * 8, type: screens, strongCount: children + extra)
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Screen")
    for index in 0..<children {
      let owner = HeapField(name: "owner", offset: 16, size: 8)
      let address = child + UInt64(index) * 0x100
      let type = heap.addType(HeapType(kind: .object, name: "\(module).Child\(index)", isOwn: true, fields: [owner]))
      heap.addNode(address, size: 24, type: type, strongCount: 1)
      heap.addEdge(from: screen, offset: 16 + index * 8, to: address)
      heap.addEdge(from: address, offset: 16, to: screen)
      builder.addClass(UInt32(index) + 2, "\(module).Child\(index)")
    }
    builder.addEvents { stream in
      stream.add(3, screen, at: [0x1001], time: 1000, arguments: [1, UInt64(16 + children * 8)])
      for index in 0..<UInt64(children) {
        stream.add(3, child + index * 0x100, at: [0x1001], time: 1010 + index, arguments: [index + 2, 24])
      }
    }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: SampleNames()) }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.cut?.isWhole != false)
    return leak.cut.map { cut in
      cut.changes.compactMap { change in
        if case .makeWeak(let className, let property) = change { "\(className).\(property)" } else { nil }
      }.sorted()
    }
  }

  @Test("A proposal has as many changes as there are mistakes, up to eight", arguments: [1, 3, 4, 8])
  func each(_ children: Int) throws {
    #expect(try weakened(children: children) == (0..<children).map { "App.Child\($0).owner" })
  }

  @Test("Nothing is proposed if more changes are needed, or another reference remains")
  func none() throws {
    #expect(try weakened(children: 9) == nil)
    #expect(try weakened(children: 4, extra: 1) == nil)
  }

  @Test("More than three changes are not proposed in a framework's module, whose objects a call ends")
  func modules() throws {
    #expect(try weakened(children: 3, module: "Kit")?.count == 3)
    #expect(try weakened(children: 4, module: "Kit") == nil)
  }
}
