import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Which of equal references is in which property, where the code shows where it stores them.
@Suite struct StoredReferenceTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3
  private static let first: UInt64 = 0x5000, second: UInt64 = 0x6000

  /// Return addresses in `append` 0x11: line 3 stores at offset 16, lines 4 and 6 at 24, line 5 in a variable; line 7
  /// replaces what a variable had, line 8 releases a local reference, line 9 what was at 24, line 10 something. Lines
  /// 275 and 532 are initializers that store at 24 of what may be their object, line 276 releases a local reference.
  /// Lines 1029 and 1285 are deinits that release what was somewhere; line 1540 is a library's function.
  /// Lines 13 and 14 store at what the class's metadata says at 88 and 96; the latter is 24 as well.
  private static var names: SampleNames {
    var names = SampleNames()
    names.hasLines = true
    names.add(0x10, "main")
    names.add(0x11, "List.append(_:)")
    names.add(0x12, "Node.init(previous:)")
    names.add(0x13, "List.init(previous:)")
    names.add(0x15, "List.deinit")
    names.add(0x16, "Node.deinit")
    names.add(0x17, "Cache.remove(_:)", library: "libCache.so", mangled: "$s5Cache6removeyyF")
    names.optimized = [0x10: false, 0x11: false, 0x12: false, 0x13: false, 0x15: false, 0x16: false]
    names.moves = [
      0x1104: .stored(offset: .constant(16), from: .object), 0x1105: .stored(offset: .constant(24), from: .object),
      0x1106: .stored(offset: .constant(8), from: .unknown), 0x1107: .stored(offset: .constant(24), from: .object),
      0x1108: .removed(offset: .constant(8), isReplaced: true), 0x1109: .local,
      0x110A: .removed(offset: .constant(24), isReplaced: true),
      0x110E: .stored(offset: .inMetadata(88, plus: 0), from: .object),
      0x110F: .stored(offset: .inMetadata(96, plus: 0), from: .object),
      0x1214: .stored(offset: .constant(24), from: .unknown), 0x1215: .local,
      0x1315: .stored(offset: .constant(24), from: .unknown),
      0x1506: .removed(offset: .constant(0), isReplaced: false),
      0x1606: .removed(offset: .constant(0), isReplaced: false),
    ]
    return names
  }

  /// Lines at which the second node's property at offset 24 may have been given the first node, which is created on
  /// line 1; the others count its references.
  private func lines(_ events: [(kind: UInt8, line: UInt64)], optimized: Bool = false) throws -> [Int?] {
    var heap = HeapGraphBuilder()
    let fields = [
      HeapField(name: "next", offset: 16, size: 8, offsetWord: 88),
      HeapField(name: "previous", offset: 24, size: 8, offsetWord: 96),
    ]
    let type = heap.addType(HeapType(kind: .object, name: "App.Node", isOwn: true, fields: fields))
    heap.addNode(Self.first, size: 32, type: type, strongCount: 1)
    heap.addNode(Self.second, size: 32, type: type, strongCount: 1)
    heap.addEdge(from: Self.first, offset: 16, to: Self.second)
    heap.addEdge(from: Self.second, offset: 24, to: Self.first)
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Node", flags: 1)
    builder.addEvents { stream in
      func path(_ line: UInt64) -> [UInt64] { [0x1014, 0x1100 + line + 1] }
      stream.add(Self.allocate, Self.first, at: path(1), time: 1010, arguments: [1, 32])
      stream.add(Self.allocate, Self.second, at: path(2), time: 1020, arguments: [1, 32])
      var count = 1 as Int64
      for event in events {
        count += event.kind == Self.retain ? 1 : -1
        stream.add(event.kind, Self.first, count: count, at: path(event.line))
      }
    }
    var names = Self.names
    if optimized { names.optimized = [0x10: true, 0x11: true] }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: names) }
    let leak = try #require(diagnosis.findings.first?.leak)
    let step = try #require(leak.steps.first { $0.property == "previous" })
    return step.stores.map { Int($0.event.sequence) }.map { number in
      number < 3 ? nil : Int(events[number - 3].line)
    }
  }

  @Test("Of the references that one function stored in several places, the one at the property's offset is meant")
  func offset() throws {
    let events =
      [(Self.retain, 3), (Self.retain, 5), (Self.retain, 4), (Self.release, 8), (Self.release, 7)] as [(UInt8, UInt64)]
    #expect(try lines(events) == [4])
  }

  @Test("Generic code, which reads the property's offset in the class's metadata, is known by the place it reads")
  func metadata() throws {
    let events =
      [(Self.retain, 13), (Self.retain, 5), (Self.retain, 14), (Self.release, 8), (Self.release, 7)]
      as [(UInt8, UInt64)]
    #expect(try lines(events) == [14])
    // Code for one type argument has the offset itself.
    #expect(try lines([(Self.retain, 13), (Self.retain, 4), (Self.release, 8)]) == [4])
  }

  @Test("Where something unknown was released, the code's stores do not prove which reference is left")
  func unknown() throws {
    let local = [(Self.retain, 4), (Self.retain, 12), (Self.release, 8)] as [(UInt8, UInt64)]
    #expect(try lines(local) == [4])
    // Optimized code may release a property's reference that it has in a register or a variable.
    let events = [(Self.retain, 4), (Self.retain, 12), (Self.release, 10)] as [(UInt8, UInt64)]
    #expect(try lines(events) != [4])
    #expect(try lines(local, optimized: true) != [4])
  }

  @Test("An initializer of the holder's class stores in the holder, one of another class perhaps elsewhere")
  func initializer() throws {
    let given = [(Self.retain, 3), (Self.retain, 275), (Self.release, 276), (Self.release, 8)] as [(UInt8, UInt64)]
    #expect(try lines(given) == [275])
    let other = [(Self.retain, 532), (Self.retain, 4), (Self.release, 276), (Self.release, 8)] as [(UInt8, UInt64)]
    #expect(try lines(other) == [4])
  }

  @Test("What a deinit of another class released was in that one's own property")
  func deinitializers() throws {
    let other = [(Self.retain, 4), (Self.retain, 12), (Self.release, 1029)] as [(UInt8, UInt64)]
    #expect(try lines(other) == [4])
    let own = [(Self.retain, 4), (Self.retain, 12), (Self.release, 1285)] as [(UInt8, UInt64)]
    #expect(try lines(own) != [4])
  }

  @Test("A library releases what code that is not optimized passed on to it, and no more")
  func library() throws {
    let passed =
      [(Self.retain, 4), (Self.retain, 12), (Self.release, 8), (Self.release, 1540)] as [(UInt8, UInt64)]
    #expect(try lines(passed) == [4])
    let other = [(Self.retain, 4), (Self.retain, 5), (Self.release, 8), (Self.release, 1540)] as [(UInt8, UInt64)]
    #expect(try lines(other) != [4])
  }

  @Test("Two places that stored references at the offset are both named if one is left")
  func two() throws {
    let events = [(Self.retain, 4), (Self.retain, 6), (Self.release, 9)] as [(UInt8, UInt64)]
    #expect(try lines(events) == [4, 6])
  }
}
