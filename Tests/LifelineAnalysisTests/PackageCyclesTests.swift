import LifelineAnalysis
import LifelineHeap
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// A subscription as packages make them: the screen's token keeps a source and a sink that keep each other until the
/// token's deinit ends that, and the sink keeps the program's closure, which captures the screen.
@Suite struct PackageCyclesTests {
  /// - Parameters:
  ///   - package: The module of the token, the source and the sink.
  ///   - calls: What the token's deinit calls; a closure unless given.
  ///   - captures: Whether a closure of the package, which captures the sink, is how the source keeps it.
  ///   - isAssigned: Whether the sink itself refers to the screen, as `assign(to:on:)` does, instead of its closure.
  ///   - isWrapped: Whether the screen's property has an object of its own that has the token.
  ///   - hasLock: Whether the screen also has an object of the package, older than it, that has nothing to do with it.
  private func cut(
    package: String, deinits: Set<String>, calls: DeinitCalls? = nil, captures: Bool = false,
    isAssigned: Bool = false, isWrapped: Bool = false, hasLock: Bool = false
  ) throws -> LeakCut? {
    var heap = HeapGraphBuilder()
    var trace = TraceBuilder()
    trace.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    let classes = ["App.Screen", "\(package).Token", "\(package).Source", "\(package).Sink"]
    let properties = ["token", "source", "sink", "source"]
    for (index, name) in classes.enumerated() {
      let fields = [
        HeapField(name: properties[index], offset: 16, size: 8), HeapField(name: "action", offset: 24, size: 16),
      ]
      let type = heap.addType(HeapType(kind: .object, name: name, isOwn: true, fields: fields))
      heap.addNode(UInt64(index + 1) << 8, size: 48, type: type, strongCount: index == 2 ? 2 : 1)
      trace.addClass(UInt32(index + 1), name)
    }
    if isWrapped {
      let field = HeapField(name: "token", offset: 16, size: 8)
      let wrapper = heap.addType(HeapType(kind: .object, name: "App.Wrapper", isOwn: true, fields: [field]))
      heap.addNode(0xA00, size: 24, type: wrapper, strongCount: 1)
      heap.addEdge(from: 1 << 8, offset: 16, to: 0xA00)
      heap.addEdge(from: 0xA00, offset: 16, to: 2 << 8)
      trace.addClass(10, "App.Wrapper")
    }
    for (from, to) in [(1, 2), (2, 3), (3, 4), (4, 3)] as [(UInt64, UInt64)]
    where (!captures || from != 3) && (!isWrapped || from != 1) {
      heap.addEdge(from: from << 8, offset: 16, to: to << 8)
    }
    if captures { heap.addEdge(from: 3 << 8, offset: 32, to: 4 << 8, function: 0x2345) }
    heap.addEdge(from: 4 << 8, offset: 32, to: 1 << 8, function: isAssigned ? nil : 0x1234)
    if hasLock {
      let lock = heap.addType(HeapType(kind: .object, name: "\(package).Lock", isOwn: true, fields: []))
      heap.addNode(0x900, size: 16, type: lock, strongCount: 1)
      heap.addEdge(from: 1 << 8, offset: 40, to: 0x900)
      trace.addClass(9, "\(package).Lock")
    }
    trace.addEvents { stream in
      if hasLock { stream.add(3, 0x900, at: [0x1001], time: 1000, arguments: [9, 16]) }
      if isWrapped { stream.add(3, 0xA00, at: [0x1001], time: 1000, arguments: [10, 24]) }
      for number in 1...4 as ClosedRange<UInt64> {
        stream.add(3, number << 8, at: [0x1001], time: 1000 + number, arguments: [number, 48])
      }
    }
    var names = SampleNames()
    names.add(0x10, "main")
    names.writtenDeinits = deinits
    names.deinitCalls["\(package).Token"] = calls
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    let findings = try trace.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: names).findings }
    #expect(captures || isWrapped || findings.map(\.object.description) == ["Screen#1"])
    return findings.first?.leak?.cut
  }

  @Test("One change is enough if a package's objects then only wait for the deinit of one that the change frees")
  func package() throws {
    let cut = try #require(try cut(package: "Kit", deinits: ["Kit.Token"]))
    #expect(cut.changes == [.captureWeakly(className: "App.Screen", function: 0x1234)])
    #expect(cut.breaker == "Kit.Token" && !cut.isWhole)
    #expect(cut.freed.map { "\($0.count) \($0.className)" } == ["1 App.Screen", "1 Kit.Token"])
  }

  @Test(
    "The deinit may end the rest only if it calls a method of its own class or of theirs, or an unknown one",
    arguments: [(["Token"], true), (["Sink"], true), (["Lock", "Logger"], false), ([], false)]
      as [(Set<String>, Bool)])
  func calls(_ types: Set<String>, _ ends: Bool) throws {
    let cut = try #require(try cut(package: "Kit", deinits: ["Kit.Token"], calls: DeinitCalls(types: types)))
    #expect(cut.breaker == (ends ? "Kit.Token" : nil) && cut.isWhole != ends)
  }

  @Test("The deinit that is named is that of an object that leads to what it may free, not of another freed one")
  func unrelated() throws {
    let cut = try #require(try cut(package: "Kit", deinits: ["Kit.Token", "Kit.Lock"], hasLock: true))
    #expect(cut.breaker == "Kit.Token")
    #expect(cut.freed.map { "\($0.count) \($0.className)" } == ["1 App.Screen", "1 Kit.Lock", "1 Kit.Token"])
  }

  @Test(
    "Otherwise the changes free everything: without a deinit, with one of another package, and in the program's module",
    arguments: [("Kit", []), ("Kit", ["App.Screen"]), ("App", ["App.Token"])] as [(String, Set<String>)])
  func whole(_ package: String, _ deinits: Set<String>) throws {
    let cut = try #require(try cut(package: package, deinits: deinits))
    #expect(cut.changes.contains(.captureWeakly(className: "App.Screen", function: 0x1234)))
    #expect(cut.changes.count == 2 && cut.breaker == nil && cut.isWhole)
  }

  @Test("What gives up the object with the deinit is proposed where a package's object holds the program's")
  func assigned() throws {
    let cut = try #require(try cut(package: "Kit", deinits: ["Kit.Token"], isAssigned: true))
    #expect(cut.changes == [.clear(className: "App.Screen", property: "token", .unknown)])
    #expect(cut.breaker == "Kit.Token" && !cut.isWhole && cut.freed.map(\.className) == ["Kit.Token"])
  }

  @Test("The property that holds the object with the deinit is cleared, not one that leads to it")
  func wrapped() throws {
    let cut = try #require(try cut(package: "Kit", deinits: ["Kit.Token"], isAssigned: true, isWrapped: true))
    #expect(cut.changes == [.clear(className: "App.Wrapper", property: "token", .unknown)])
  }

  @Test("The program's closure is proposed before the package's, whose change would free everything")
  func packageClosure() throws {
    let cut = try #require(try cut(package: "Kit", deinits: ["Kit.Token"], captures: true))
    #expect(cut.changes == [.captureWeakly(className: "App.Screen", function: 0x1234)])
    #expect(cut.breaker == "Kit.Token" && !cut.isWhole)
  }

  @Test("Without a deinit that may end the rest, the package's closure is the change that frees everything")
  func packageClosureAlone() throws {
    let cut = try #require(try cut(package: "Kit", deinits: [], captures: true))
    #expect(cut.changes == [.captureWeakly(className: "Kit.Sink", function: 0x2345)])
    #expect(cut.breaker == nil && cut.isWhole)
  }
}
