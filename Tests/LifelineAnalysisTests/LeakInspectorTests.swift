import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Handwritten heaps combined with handwritten traces.
@Suite struct LeakInspectorTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3

  /// main 0x10, open 0x11, Model.onChange.setter 0x12, make 0x13, a library's closure 0x14, tests 0x15 and 0x16.
  private static var names: SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "open()")
    names.add(0x12, "Model.onChange.setter")
    names.add(0x13, "make()")
    names.add(
      0x14, "closure #1 in static ObservationTracking._installTracking(_:onChange:)", library: "libswiftObservation.so",
      mangled: "$s11Observation0A8TrackingV08_installB0yySbcfU_")
    for (hundred, name) in [(0x15, "testA"), (0x16, "testB")] as [(UInt64, String)] {
      names.functions[hundred] = CodeFrame(function: "PaneTests.\(name)()", image: "AppTests.xctest")
    }
    return names
  }

  private func diagnose(_ heap: Heap, sample: UInt32 = 1, _ fill: (inout StreamBuilder) -> Void) throws -> Diagnosis {
    var builder = TraceBuilder()
    builder.sample = sample
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Pane")
    builder.addClass(2, "App.Model")
    builder.addClass(3, "App.Item")
    builder.addEvents { fill(&$0) }
    let snapshot = HeapSnapshot(process: 1, graph: heap.builder.graph())
    return try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names) }
  }

  private func open(_ stream: inout StreamBuilder, pane: UInt64, model: UInt64, time: UInt64) {
    stream.add(Self.allocate, pane, at: [0x1001, 0x1105], time: time, arguments: [1, 32])
    stream.add(Self.allocate, model, at: [0x1001, 0x1107], time: time + 10, arguments: [2, 32])
    stream.add(Self.retain, pane, count: 2, at: [0x1001, 0x1109, 0x1203])
    stream.add(Self.release, pane, count: 1, at: [0x1001, 0x1105], time: time + 30)
  }

  @Test("A closure that captures its owner is a cycle, and the change is to weaken the capture")
  func closure() throws {
    var heap = Heap()
    cycle(&heap, pane: 0x5000, model: 0x6000)
    let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
    let finding = try #require(diagnosis.findings.first)
    let leak = try #require(finding.leak)
    #expect(diagnosis.findings.count == 1 && finding.kind == .leak && finding.severity == .error)
    #expect(finding.object.description == "Pane#1")
    #expect(leak.cause == .cycle)
    #expect(
      leak.steps.map { "\($0.kind) \($0.shortClassName).\($0.property ?? "")" } == [
        "object Pane.model", "object Model.onChange", "closure .", "object Pane.",
      ])
    #expect(leak.steps[2].function == 0x1234 && leak.steps[2].isCut)
    #expect(leak.steps[2].store?.event.kind == .retain, "the setter's retain is the unbalanced one")
    #expect(leak.cut?.changes == [.captureWeakly(className: "App.Pane", function: 0x1234)])
    #expect(leak.cut?.objectCount == 2 && leak.cut?.bytes == 64)
  }

  @Test("No change is suggested to a closure that a library made")
  func libraryClosure() throws {
    var heap = Heap()
    heap.builder.addNode(0x5000, size: 32, type: heap.pane, strongCount: 1)
    heap.builder.addNode(0x6000, size: 32, type: heap.model, strongCount: 1)
    heap.builder.addEdge(from: 0x5000, offset: 16, to: 0x6000)
    heap.builder.addEdge(from: 0x6000, offset: 24, to: 0x5000, function: 0x1401)
    let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.steps.contains { $0.function == 0x1401 })
    #expect(leak.cut?.changes == [.clear(className: "App.Pane", property: "model", .unknown)])
  }

  @Test("A property that can be cleared is suggested before a constant, which must become a variable first")
  func constant() throws {
    func changes(_ constants: [Bool]) throws -> [LeakCut.Change]? {
      var heap = Heap()
      let types = zip(["App.Pane", "App.Model"], constants).map { name, isConstant in
        heap.builder.addType(
          HeapType(
            kind: .object, name: name, isOwn: true,
            fields: [HeapField(name: "parts", offset: 16, size: 8, isConstant: isConstant, clearing: .byEmptying)]))
      }
      let storage = heap.builder.addType(HeapType(kind: .storage, name: "Swift._ContiguousArrayStorage<App.Pane>"))
      for (index, type) in types.enumerated() {
        let object = 0x5000 + UInt64(index) * 0x1000, elements = object + 0x100
        heap.builder.addNode(object, size: 24, type: type, strongCount: 1)
        heap.builder.addNode(elements, size: 40, type: storage, strongCount: 1)
        heap.builder.addEdge(from: object, offset: 16, to: elements)
        heap.builder.addEdge(from: elements, offset: 32, to: index == 0 ? 0x6000 : 0x5000)
      }
      let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
      return diagnosis.findings.first?.leak?.cut?.changes
    }
    let pane = LeakCut.Change.clear(className: "App.Pane", property: "parts", .byEmptying)
    #expect(try changes([false, true]) == [pane])
    #expect(try changes([true, false]) == [.clear(className: "App.Model", property: "parts", .byEmptying)])
    let isConstant = try changes([true, true])?.first.map { if case .clearConstant = $0 { true } else { false } }
    #expect(isConstant == true)
  }

  @Test("A list of older objects is cleared before one of younger objects")
  func listOfOlder() throws {
    for isReversed in [false, true] {
      var heap = Heap()
      let (first, second) = isReversed ? ("others", "elements") : ("elements", "others")
      let types = zip(["App.Pane", "App.Model"], [first, second]).map { name, property in
        heap.builder.addType(
          HeapType(kind: .object, name: name, isOwn: true, fields: [HeapField(name: property, offset: 16, size: 8)]))
      }
      let storage = heap.builder.addType(HeapType(kind: .storage, name: "Swift._ContiguousArrayStorage<App.Pane>"))
      for (index, type) in types.enumerated() {
        let object = 0x5000 + UInt64(index) * 0x1000, list = object + 0x100
        heap.builder.addNode(object, size: 24, type: type, strongCount: 1)
        heap.builder.addNode(list, size: 40, type: storage, strongCount: 1)
        heap.builder.addEdge(from: object, offset: 16, to: list)
        heap.builder.addEdge(from: list, offset: 32, to: index == 0 ? 0x6000 : 0x5000)
      }
      let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
      let changes = diagnosis.findings.first?.leak?.cut?.changes
      #expect(changes == [.clear(className: "App.Model", property: second, .unknown)])
    }
  }

  @Test("A cycle starts at an object of the program's own, even when it also leads through a library's object")
  func beginning() throws {
    var heap = Heap()
    let session = heap.builder.addType(
      HeapType(
        kind: .object, name: "Foundation.Session", isOwn: false,
        fields: [HeapField(name: "delegate", offset: 16, size: 8)]))
    heap.builder.addNode(0x5000, size: 32, type: heap.pane, strongCount: 1)
    heap.builder.addNode(0x6000, size: 32, type: session, strongCount: 1)
    heap.builder.addEdge(from: 0x5000, offset: 16, to: 0x6000)
    heap.builder.addEdge(from: 0x6000, offset: 16, to: 0x5000)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1010, arguments: [1, 32])
    }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.steps.map(\.shortClassName) == ["Pane", "Session", "Pane"])
    #expect(leak.steps.map(\.isCut) == [true, false, false])
  }

  @Test("Cycles of the same shape from the same place are one finding; other cycles are separate findings")
  func alike() throws {
    var heap = Heap()
    for number in 0..<3 as Range<UInt64> { cycle(&heap, pane: 0x5000 + number * 0x40, model: 0x6000 + number * 0x40) }
    heap.builder.addNode(0x7000, size: 32, type: heap.item, strongCount: 1)
    heap.builder.addEdge(from: 0x7000, offset: 16, to: 0x7000)
    let diagnosis = try diagnose(heap) { stream in
      for number in 0..<3 as Range<UInt64> {
        open(&stream, pane: 0x5000 + number * 0x40, model: 0x6000 + number * 0x40, time: 1010 + number * 100)
      }
      stream.add(Self.allocate, 0x7000, at: [0x1001, 0x1301], time: 2000, arguments: [3, 32])
    }
    #expect(diagnosis.findings.map(\.object.description) == ["Pane#1", "Item#1"])
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.similar == 2 && leak.totalObjects == 6 && leak.totalBytes == 192 && leak.objectCount == 2)
    #expect(diagnosis.findings[1].leak?.cut?.changes == [.makeWeak(className: "App.Item", property: "next")])
  }

  @Test("In a sample, cycles of the same shape are one finding, described by one whose objects were recorded")
  func sample() throws {
    var heap = Heap()
    for number in 0..<4 as Range<UInt64> { cycle(&heap, pane: 0x5000 + number * 0x40, model: 0x6000 + number * 0x40) }
    let diagnosis = try diagnose(heap, sample: 2) { stream in
      // Only the model of the second cycle, nothing of the third, all of the fourth.
      stream.add(Self.allocate, 0x6040, at: [0x1001, 0x1107], time: 1010, arguments: [2, 32])
      open(&stream, pane: 0x50C0, model: 0x60C0, time: 2000)
    }
    #expect(diagnosis.findings.map(\.object.description) == ["Pane#1"])
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.similar == 3 && leak.cut?.changes == [.captureWeakly(className: "App.Pane", function: 0x1234)])
  }

  @Test("Cycles along the same path from the same place are one finding, whatever other cycles they contain")
  func oneWay() throws {
    var heap = Heap()
    for number in 0..<2 as Range<UInt64> { cycle(&heap, pane: 0x5000 + number * 0x40, model: 0x6000 + number * 0x40) }
    heap.builder.addNode(0x7000, size: 32, type: heap.item, strongCount: 1)
    heap.builder.addEdge(from: 0x7000, offset: 16, to: 0x6040)
    heap.builder.addEdge(from: 0x6040, offset: 16, to: 0x7000)
    let diagnosis = try diagnose(heap) { stream in
      for number in 0..<2 as Range<UInt64> {
        open(&stream, pane: 0x5000 + number * 0x40, model: 0x6000 + number * 0x40, time: 1010 + number * 100)
      }
      stream.add(Self.allocate, 0x7000, at: [0x1001, 0x1301], time: 2000, arguments: [3, 32])
    }
    #expect(diagnosis.findings.map(\.object.description) == ["Pane#1"])
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.similar == 1 && leak.totalObjects == 5 && leak.objectCount == 2)
  }

  @Test("Cycles that one change prevents are one finding, whichever functions allocated their objects")
  func oneMistake() throws {
    var heap = Heap()
    for item in [0x7000, 0x7100] as [UInt64] {
      heap.builder.addNode(item, size: 32, type: heap.item, strongCount: 1)
      heap.builder.addEdge(from: item, offset: 16, to: item)
    }
    heap.builder.addNode(0x5000, size: 32, type: heap.pane, strongCount: 1)
    heap.builder.addEdge(from: 0x7100, offset: 24, to: 0x5000)
    let findings = try diagnose(heap) { stream in
      for (item, maker) in [(0x7000, 0x1301), (0x7100, 0x1105)] as [(UInt64, UInt64)] {
        stream.add(Self.allocate, item, at: [0x1001, maker], time: item, arguments: [3, 32])
        stream.add(Self.retain, item, count: 2, at: [0x1001, maker])
        stream.add(Self.release, item, count: 1, at: [0x1001, maker], time: item + 30)
      }
    }.findings
    #expect(findings.map(\.object.description) == ["Item#1"])
    let leak = try #require(findings.first?.leak)
    #expect(leak.cut?.changes == [.makeWeak(className: "App.Item", property: "next")])
    #expect(leak.similar == 1 && leak.totalObjects == 3 && leak.otherClasses == ["App.Pane"])
  }

  @Test("A finding for cycles of several tests names all of them", arguments: [false, true])
  func severalTests(_ isOneShape: Bool) throws {
    var heap = Heap()
    let items: [UInt64] = [0x7000, 0x7100, 0x7200]
    for item in items {
      heap.builder.addNode(item, size: 32, type: heap.item, strongCount: 1)
      heap.builder.addEdge(from: item, offset: 16, to: item)
    }
    let findings = try diagnose(heap) { stream in
      for (item, test) in zip(items, [0x1503, 0x1603, 0x1603] as [UInt64]) {
        let stack = isOneShape ? [0x1001, test, 0x1301] : [0x1001, test]
        stream.add(Self.allocate, item, at: stack, time: item, arguments: [3, 32])
        stream.add(Self.retain, item, count: 2, at: stack)
        stream.add(Self.release, item, count: 1, at: stack, time: item + 30)
      }
    }.findings
    #expect(findings.count == 1 && findings.first?.leak?.similar == 2)
    #expect(findings.first?.leak?.tests == ["PaneTests.testA()", "PaneTests.testB()"])
  }

  @Test("Cycles of a generic class that the same several changes prevent are one finding, whatever its type arguments")
  func sameMistakes() throws {
    func findings(_ classes: [String]) throws -> [Finding] {
      var heap = HeapGraphBuilder()
      var trace = TraceBuilder()
      trace.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
      for (index, name) in classes.enumerated() {
        // Two references of the object to itself, so that one change is not enough.
        let fields = [
          HeapField(name: "parent", offset: 16, size: 8), HeapField(name: "owner", offset: 24, size: 8),
        ]
        let type = heap.addType(HeapType(kind: .object, name: name, isOwn: true, fields: fields))
        let node = UInt64(index + 1) << 12
        heap.addNode(node, size: 32, type: type, strongCount: 2)
        for offset in [16, 24] { heap.addEdge(from: node, offset: offset, to: node) }
        trace.addClass(UInt32(index + 1), name)
      }
      trace.addEvents { stream in
        for index in classes.indices {
          let number = UInt64(index + 1)
          // Each is allocated by another function.
          stream.add(
            Self.allocate, number << 12, at: [0x1001, 0x1101 + number << 8], time: 1000 + number,
            arguments: [number, 32])
        }
      }
      let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
      return try trace.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names).findings }
    }
    let alike = try findings(["App.Node<Swift.Int>", "App.Node<Swift.String>"])
    #expect(alike.map(\.object.description) == ["Node<Swift.Int>#1"])
    #expect(alike.first?.leak?.cut?.changes.count == 2 && alike.first?.leak?.similar == 1)
    #expect(try findings(["App.Node<Swift.Int>", "App.Item<Swift.Int>"]).count == 2)
  }

  @Test("A cycle does not start at an object with more incoming edges than strong references")
  func uncounted() throws {
    var heap = Heap()
    heap.builder.addNode(0x7000, size: 32, type: heap.item, strongCount: 1)
    heap.builder.addEdge(from: 0x7000, offset: 16, to: 0x7000)
    heap.builder.addEdge(from: 0x7000, offset: 16, to: 0x5000)
    cycle(&heap, pane: 0x5000, model: 0x6000)
    heap.builder.addEdge(from: 0x6000, offset: 16, to: 0x7000)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, 0x7000, at: [0x1001, 0x1301], time: 1000, arguments: [3, 32])
      open(&stream, pane: 0x5000, model: 0x6000, time: 1010)
    }
    let finding = try #require(diagnosis.findings.first)
    #expect(diagnosis.findings.count == 1 && finding.object.description == "Pane#1")
    #expect(finding.leak?.steps.map(\.className) == ["App.Pane", "App.Model", "", "App.Pane"])
  }

  @Test("Objects that a root reaches are not leaks")
  func reachable() throws {
    var heap = Heap()
    cycle(&heap, pane: 0x5000, model: 0x6000)
    heap.builder.addRoot(.global, to: 0x6000)
    let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
    #expect(diagnosis.findings.isEmpty && diagnosis.lostObjects.isEmpty)
    #expect(diagnosis.verdict == .clean)
  }

  @Test(
    "An unreferenced object is reported with its unbalanced retain and everything it keeps alive")
  func unbalanced() throws {
    var heap = Heap()
    heap.builder.addNode(0x7000, size: 32, type: heap.item, strongCount: 1)
    heap.builder.addNode(0x7040, size: 32, type: heap.item, strongCount: 1)
    heap.builder.addEdge(from: 0x7000, offset: 16, to: 0x7040)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, 0x7000, at: [0x1001, 0x1301], time: 1010, arguments: [3, 32])
      stream.add(Self.retain, 0x7000, count: 2, at: [0x1001, 0x1105])
      stream.add(Self.release, 0x7000, count: 1, at: [0x1001, 0x1305])
      stream.add(Self.allocate, 0x7040, at: [0x1001, 0x1309], time: 1050, arguments: [3, 32])
    }
    let finding = try #require(diagnosis.findings.first)
    let leak = try #require(finding.leak)
    #expect(diagnosis.findings.count == 1 && leak.cause == .unbalanced && finding.object.description == "Item#1")
    #expect(leak.lost.map { "\($0.count) \($0.className)" } == ["2 App.Item"])
    #expect(
      leak.unbalanced.map(\.event.kind) == [.retain], "the retain in open(), not the allocation, which make() released")
    #expect(leak.cut == nil)
  }

  @Test("What an unreferenced object of a library keeps is held by it, and has no unbalanced retain of its own")
  func holder() throws {
    var heap = Heap()
    let timer = heap.builder.addType(HeapType(kind: .object, name: "Foundation.Timer"))
    heap.builder.addNode(0x6000, size: 32, type: timer, strongCount: 1)
    heap.builder.addNode(0x7000, size: 32, type: heap.item, strongCount: 1)
    heap.builder.addEdge(from: 0x6000, offset: 16, to: 0x7000)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, 0x7000, at: [0x1001, 0x1301], time: 1010, arguments: [3, 32])
    }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(diagnosis.findings.map(\.object.description) == ["Item#1"])
    #expect(leak.cause == .holder(className: "Foundation.Timer") && leak.unbalanced.isEmpty && leak.doubts.isEmpty)
    #expect(leak.steps.map(\.className) == ["Foundation.Timer", "App.Item"])
  }

  @Test("A cycle is described without a word that points to a closure's context but has no function next to it")
  func leftOver() throws {
    var heap = Heap()
    // The model's closure keeps both objects; the pane's word is left over from what was in its memory before.
    heap.builder.addNode(0x5000, size: 32, type: heap.pane, strongCount: 1)
    heap.builder.addNode(0x6000, size: 32, type: heap.model, strongCount: 1)
    heap.builder.addNode(0x8000, size: 32, type: heap.closure, strongCount: 1)
    heap.builder.addEdge(from: 0x5000, offset: 16, to: 0x8000)
    heap.builder.addEdge(from: 0x6000, offset: 24, to: 0x8000, function: 0x1234)
    heap.builder.addEdge(from: 0x8000, offset: 16, to: 0x5000)
    heap.builder.addEdge(from: 0x8000, offset: 24, to: 0x6000)
    let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(
      leak.steps.map { "\($0.kind) \($0.shortClassName).\($0.property ?? "")" } == [
        "object Model.onChange", "closure closure.", "object Model.",
      ])
  }

  @Test(
    "When two closures capture the same object, both captures change, and no property that leads to them is cleared")
  func together() throws {
    var heap = Heap()
    cycle(&heap, pane: 0x5000, model: 0x6000)
    // Pane.model refers to the model, whose two closures refer back.
    heap.builder.addNode(0x5000, size: 32, type: heap.pane, strongCount: 2)
    heap.builder.addEdge(from: 0x6000, offset: 40, to: 0x5000, function: 0x1256)
    let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
    let cut = try #require(diagnosis.findings.first?.leak?.cut)
    #expect(
      cut.changes == [
        .captureWeakly(className: "App.Pane", function: 0x1234),
        .captureWeakly(className: "App.Pane", function: 0x1256),
      ])
    #expect(cut.isWhole && cut.freed.map { "\($0.count) \($0.className)" } == ["1 App.Model", "1 App.Pane"])
  }

  @Test("A change is suggested only if it frees everything, which an extra retain prevents")
  func unproven() throws {
    var heap = Heap()
    cycle(&heap, pane: 0x5000, model: 0x6000)
    // One more strong reference than the heap's edges account for.
    heap.builder.addNode(0x5000, size: 32, type: heap.pane, strongCount: 2)
    let diagnosis = try diagnose(heap) { open(&$0, pane: 0x5000, model: 0x6000, time: 1010) }
    #expect(diagnosis.findings.first?.leak?.cause == .cycle)
    #expect(diagnosis.findings.first?.leak?.cut == nil)
  }

  @Test("A heap that could not be examined yields no findings")
  func refused() throws {
    var builder = TraceBuilder()
    builder.addClass(3, "App.Item")
    builder.addEvents { $0.add(Self.allocate, 0x7000, at: [0x1001], time: 1010, arguments: [3, 32]) }
    let snapshot = HeapSnapshot(process: 1, refusal: "the program was killed")
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names) }
    #expect(diagnosis.findings.isEmpty && diagnosis.retained == nil)
  }
}
