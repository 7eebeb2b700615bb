import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Since when lost objects hold each other, from handwritten heaps and traces in which an address's last digits are the
/// line.
@Suite struct LeakStoreInspectorTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3
  private static let worker: UInt64 = 0x5000, item: UInt64 = 0x6000

  /// main 0x10, enqueue 0x11, move 0x12, link 0x13, Worker.init 0x14, Inbox.take 0x15, Employee.init 0x16,
  /// Worker.run 0x17, closure #1 in main 0x18, a subscript's setter 0x19 and getter 0x1A, serve 0x1B,
  /// one without a name 0x1C, listen 0x1D with Worker.play 0x1E inlined.
  private static var names: SampleNames {
    var names = SampleNames()
    names.hasLines = true
    names.add(0x10, "main")
    names.add(0x11, "enqueue(_:)")
    names.add(0x12, "move(_:_:)")
    names.add(0x13, "link(_:)")
    names.add(0x14, "Worker.init()")
    names.add(0x15, "Inbox.take()")
    names.add(0x16, "Employee.init()")
    names.add(0x17, "Worker.run()")
    names.add(0x18, "closure #1 in main")
    names.add(0x19, "Slots.subscript.setter")
    names.add(0x1A, "Slots.subscript.getter")
    names.add(0x1B, "serve()")
    names.functions[0x1C] = CodeFrame(function: "app+0x1c00", image: "app")
    names.add(0x1D, "listen()")
    names.add(0x1E, "Worker.play()")
    names.inlinedInto = [0x1E: 0x1D]
    names.optimized = [0x19: false, 0x1A: false, 0x1B: false]
    names.superclasses = ["App.Worker": "App.Employee"]
    return names
  }

  /// Return addresses, one byte after the call, outermost function first.
  private func at(_ places: (function: UInt64, line: UInt64)...) -> [UInt64] {
    places.map { $0.function << 8 + $0.line + 1 }
  }

  private func diagnose(
    _ heap: HeapGraphBuilder, classFlags: UInt32 = 1, _ fill: (inout StreamBuilder) -> Void
  ) throws -> Diagnosis {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Worker", flags: classFlags)
    builder.addClass(2, "App.Item", flags: classFlags)
    builder.addEvents { fill(&$0) }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    return try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names) }
  }

  private var cycle: HeapGraphBuilder { .cycle(worker: Self.worker, item: Self.item) }

  /// Lines at which Worker.item's object may have been stored.
  private func stores(_ fill: (inout StreamBuilder) -> Void) throws -> [UInt64] {
    let finding = try #require(diagnose(cycle, fill).findings.first)
    let step = try #require(finding.leak?.steps.first { $0.property == "item" })
    return step.stores.map(\.event.sequence)
  }

  @Test("When a reference was handed over between two places, both are named, as either may be the one left")
  func handedOver() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x11, 12)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23), (0x12, 15)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23), (0x12, 16)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores == [2, 3])
  }

  @Test("What an inlined function of the holder took and released is not the holder's reference")
  func inlined() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22), (0x1D, 12)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 22), (0x1D, 13)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 22), (0x1D, 15)))
      stream.add(Self.retain, Self.item, count: 3, at: at((0x10, 22), (0x1E, 5)))
      stream.add(Self.release, Self.item, count: 2, at: at((0x10, 22), (0x1D, 15)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 22), (0x1E, 5)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 22), (0x1D, 13)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 22), (0x1D, 16)))
    }
    #expect(stores == [2, 3], "the allocation's reference, or the one that the assignment took")
  }

  @Test("In a stripped program no place is stated", arguments: [0x11, 0x1C] as [UInt64])
  func stripped(_ function: UInt64) throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x1B, 12)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 24), (function, 15)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23), (0x1B, 16)))
    }
    #expect(stores == (function == 0x1C ? [] : [3]))
  }

  @Test("If the holder has the object in two properties, all lines that may have stored it are named")
  func twoProperties() throws {
    var heap = cycle
    let worker = heap.addType(
      HeapType(
        kind: .object, name: "App.Worker", isOwn: true,
        fields: ["item", "recent"].enumerated().map { HeapField(name: $1, offset: 16 + $0 * 8, size: 8) }))
    heap.addNode(Self.worker, size: 32, type: worker, strongCount: 1)
    let item = heap.addType(
      HeapType(
        kind: .object, name: "App.Item", isOwn: true, fields: [HeapField(name: "owner", offset: 16, size: 8)]))
    heap.addNode(Self.item, size: 24, type: item, strongCount: 2)
    heap.addEdge(from: Self.worker, offset: 24, to: Self.item)
    let finding = try diagnose(heap) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 24), (0x13, 18)))
      stream.add(Self.retain, Self.item, count: 3, at: at((0x10, 25), (0x17, 6)))
      stream.add(Self.release, Self.item, count: 2, at: at((0x10, 26)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 26)))
    }.findings.first
    let step = try #require(finding?.leak?.steps.first { $0.property == "item" || $0.property == "recent" })
    #expect(step.stores.map(\.event.sequence) == [3, 4], "link(_:) as well as Worker.run()")
  }

  @Test("If the call that made an object took it several times, a property may have been given it at once")
  func givenAtOnce() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x17, 4)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23), (0x17, 5)))
      stream.add(Self.retain, Self.item, count: 3, at: at((0x10, 23), (0x17, 5), (0x11, 12)))
      stream.add(Self.release, Self.item, count: 2, at: at((0x10, 23), (0x17, 6)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23), (0x17, 6)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores == [2, 3, 4])
  }

  @Test("A statement that takes and releases a reference is never named as the one that stored it")
  func momentary() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 25)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 25)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 26)))
    }
    #expect(stores == [2])
  }

  @Test("No line is named if another class's method may have handed the object over in one statement")
  func inOneStatement() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x11, 12)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 24), (0x15, 5)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 24), (0x15, 5)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores == [])
  }

  @Test("No line is named if an unpaired release may balance any of the retains, and the finding says why")
  func unpairedReleases() throws {
    let finding = try diagnose(cycle) { stream in
      stream.add(Self.allocate, Self.item, at: at((0x10, 23)), time: 1010, arguments: [2, 24])
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1020, arguments: [1, 24])
      for count in [2, 1, 2, 1] as [UInt64] {
        let place = count == 2 ? at((0x10, 25), (0x11, 12)) : at((0x10, 26), (0x12, 15))
        stream.add(count == 2 ? Self.retain : Self.release, Self.item, count: Int64(count), at: place)
      }
    }.findings.first
    let leak = try #require(finding?.leak)
    #expect(leak.steps.first { $0.property == "item" }?.stores.isEmpty == true)
    #expect(leak.doubts.map(\.object.description) == ["Item#1"])
    #expect(leak.doubts.map(\.reason) == [.unpaired(releases: 1)])
    #expect(leak.doubts.first?.perhaps.map(\.event.sequence) == [3], "the unbalanced retain in enqueue")
  }

  @Test("A retain whose release is only likely its own may be the one that was not released")
  func likelyPairs() throws {
    let finding = try diagnose(cycle) { stream in
      stream.add(Self.allocate, Self.item, at: at((0x10, 23)), time: 1010, arguments: [2, 24])
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1020, arguments: [1, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 25), (0x11, 12)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 26), (0x12, 15)))
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 27), (0x13, 18)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 28), (0x13, 20)))
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 25), (0x11, 12)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 26), (0x12, 15)))
    }.findings.first
    let doubt = try #require(finding?.leak?.doubts.first)
    #expect(doubt.perhaps.map(\.event.sequence) == [3, 5])
  }

  @Test("An object that its owner's initializer created is held from that line on, whatever uses it later")
  func initialized() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22), (0x14, 3)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 22), (0x14, 4)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23), (0x13, 18)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23), (0x13, 20)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores == [2])
  }

  @Test("What nobody retained is held with its allocation's reference, even by a younger holder")
  func handedOverWhole() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.item, at: at((0x10, 22)), time: 1010, arguments: [2, 24])
      stream.add(Self.allocate, Self.worker, at: at((0x10, 23)), time: 1020, arguments: [1, 24])
    }
    #expect(stores == [1])
    let usedBefore = try self.stores { stream in
      stream.add(Self.allocate, Self.item, at: at((0x10, 22)), time: 1010, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23), (0x13, 18)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23), (0x13, 18)))
      stream.add(Self.allocate, Self.worker, at: at((0x10, 24)), time: 1020, arguments: [1, 24])
    }
    #expect(usedBefore == [])
  }

  @Test("An object that its owner's initializer created is held from then on, even if the initializer uses it")
  func usedInTheInitializer() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22), (0x14, 3)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 22), (0x14, 4)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 22), (0x14, 5)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 22), (0x14, 7)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores == [2])
  }

  @Test("An object that the initializer of its owner's superclass created is held from that line on")
  func createdBySuperclass() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22), (0x14, 3)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 22), (0x14, 3), (0x16, 4)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23), (0x13, 18)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23), (0x13, 20)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 24)))
    }
    #expect(stores == [2])
  }

  @Test("Another call of the function that allocated an object does not release the allocation's reference")
  func recursive() throws {
    let stores = try stores { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23), (0x11, 12)), time: 1020, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 25), (0x11, 14), (0x12, 9)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 25), (0x11, 15)))
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 26), (0x13, 19)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 27)))
    }
    #expect(stores == [2, 3])
  }

  @Test("Nothing is said about references to objects whose retains were not recorded")
  func uncounted() throws {
    func fill(_ stream: inout StreamBuilder) {
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 24])
      stream.add(Self.allocate, Self.item, at: at((0x10, 23)), time: 1020, arguments: [2, 24])
    }
    var heap = HeapGraphBuilder()
    let type = heap.addType(HeapType(kind: .object, name: "App.Item", isOwn: true, fields: []))
    heap.addNode(Self.item, size: 24, type: type, strongCount: 1)
    for (flags, events) in [(1, [2]), (1 | 32, [])] as [(UInt32, [UInt64])] {
      let cyclic = try #require(diagnose(cycle, classFlags: flags, fill).findings.first?.leak)
      #expect(cyclic.steps.first { $0.property == "item" }?.stores.map(\.event.sequence) == events)
      let lost = try #require(diagnose(heap, classFlags: flags, fill).findings.first?.leak)
      #expect(lost.unbalanced.map(\.event.sequence) == events)
    }
  }

  @Test("Objects whose references were lost at different lines are separate findings; similar ones are counted")
  func lostApart() throws {
    var heap = HeapGraphBuilder()
    let type = heap.addType(HeapType(kind: .object, name: "App.Item", isOwn: true, fields: []))
    for number in 0..<3 as Range<UInt64> { heap.addNode(0x6000 + number * 0x40, size: 24, type: type, strongCount: 1) }
    let diagnosis = try diagnose(heap) { stream in
      for (number, line) in [15, 18, 15].enumerated() as EnumeratedSequence<[UInt64]> {
        let address = 0x6000 + UInt64(number) * 0x40
        stream.add(
          Self.allocate, address, at: at((0x10, 22)), time: 1010 + UInt64(number) * 100, arguments: [2, 24])
        stream.add(Self.retain, address, count: 2, at: at((0x10, 23), (0x12, line)))
        stream.add(Self.release, address, count: 1, at: at((0x10, 24)))
      }
    }
    #expect(diagnosis.findings.map(\.object.description) == ["Item#1", "Item#2"])
    #expect(diagnosis.findings.map(\.similar) == [1, 0])
    #expect(diagnosis.findings.map { $0.leak?.totalObjects } == [2, 1])
  }

  @Test("What a closure's own code took did not store what the closure captured")
  func ownCode() throws {
    var heap = HeapGraphBuilder()
    let field = HeapField(name: "handler", offset: 16, size: 16)
    let type = heap.addType(HeapType(kind: .object, name: "App.Worker", isOwn: true, fields: [field]))
    heap.addNode(Self.worker, size: 32, type: type, strongCount: 1)
    heap.addEdge(from: Self.worker, offset: 24, to: Self.worker, function: 0x1801)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, Self.worker, at: at((0x10, 22)), time: 1010, arguments: [1, 32])
      stream.add(Self.retain, Self.worker, count: 2, at: at((0x10, 23)))
      stream.add(Self.retain, Self.worker, count: 3, at: at((0x10, 25), (0x17, 7), (0x18, 24)))
      stream.add(Self.release, Self.worker, count: 2, at: at((0x10, 25), (0x17, 9)))
      stream.add(Self.release, Self.worker, count: 1, at: at((0x10, 30)))
    }
    let step = try #require(diagnosis.findings.first?.leak?.steps.first { $0.kind == .closure })
    #expect(step.stores.map(\.event.sequence) == [2])
  }

  @Test("What read the object from memory, and a statement that used it, did not lose a reference")
  func readFromMemory() throws {
    var heap = HeapGraphBuilder()
    let type = heap.addType(HeapType(kind: .object, name: "App.Item", isOwn: true, fields: []))
    heap.addNode(Self.item, size: 24, type: type, strongCount: 1)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, Self.item, at: at((0x10, 30), (0x1B, 5)), time: 1010, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 30), (0x1B, 5), (0x19, 2)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 30), (0x1B, 5), (0x19, 2)))
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 30), (0x1B, 8), (0x1A, 3)))
      stream.add(Self.retain, Self.item, count: 3, at: at((0x10, 30), (0x1B, 8)))
      stream.add(Self.release, Self.item, count: 2, at: at((0x10, 30), (0x1B, 8)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 30), (0x1B, 8)))
    }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.unbalanced.map(\.event.sequence) == [1])
  }

  @Test("A reference taken in one statement right after the allocation may be the one that was lost")
  func takenAtOnce() throws {
    var heap = HeapGraphBuilder()
    let type = heap.addType(HeapType(kind: .object, name: "App.Item", isOwn: true, fields: []))
    heap.addNode(Self.item, size: 24, type: type, strongCount: 1)
    let diagnosis = try diagnose(heap) { stream in
      stream.add(Self.allocate, Self.item, at: at((0x10, 22)), time: 1010, arguments: [2, 24])
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 23)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 23)))
      stream.add(Self.retain, Self.item, count: 2, at: at((0x10, 25), (0x12, 15)))
      stream.add(Self.release, Self.item, count: 1, at: at((0x10, 26)))
    }
    let leak = try #require(diagnosis.findings.first?.leak)
    #expect(leak.unbalanced.map(\.event.sequence) == [4])
    #expect(leak.alternatives.map(\.event.sequence) == [2])
  }
}
