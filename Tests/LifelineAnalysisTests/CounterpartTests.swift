import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// What released the reference of a cycle in an object that was freed, from handwritten heaps and traces in which an
/// address's last digits are the line.
@Suite struct CounterpartTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 5
  private static let leaked: UInt64 = 0x5000, freed: UInt64 = 0x6000

  private static var names: SampleNames {
    var names = SampleNames()
    names.hasLines = true
    names.add(0x10, "main")
    names.add(0x11, "Session.start()")
    names.add(0x12, "Session.close()")
    names.add(0x13, "Room.remove(_:)")
    names.add(0x14, "Room.deinit")
    names.add(0x15, "Session.end()")
    names.add(0x16, "Session.me.setter")
    names.add(0x17, "Room.add(_:)")
    return names
  }

  /// Return addresses, one byte after the call, outermost function first.
  private func at(_ places: (function: UInt64, line: UInt64)...) -> [UInt64] {
    places.map { $0.function << 8 + $0.line + 1 }
  }

  /// A session whose property `me` refers to itself, after another one was freed.
  ///
  /// `end` is where the leaked one lost another reference; `taken` where the one that is left was taken.
  private func leak(
    end: (function: UInt64, line: UInt64) = (0x10, 30), taken: (function: UInt64, line: UInt64) = (0x11, 7),
    _ freeing: (inout StreamBuilder) -> Void
  ) throws -> Leak {
    var heap = HeapGraphBuilder()
    let session = heap.addType(
      HeapType(
        kind: .object, name: "App.Session", isOwn: true, fields: [HeapField(name: "me", offset: 16, size: 8)]))
    heap.addNode(Self.leaked, size: 24, type: session, strongCount: 1)
    heap.addEdge(from: Self.leaked, offset: 16, to: Self.leaked)
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Session", flags: 1)
    builder.addEvents { stream in
      stream.add(Self.allocate, Self.freed, at: at((0x10, 21)), time: 1010, arguments: [1, 24])
      freeing(&stream)
      stream.add(Self.free, Self.freed, at: at((0x10, 29)), time: 1020)
      stream.add(Self.allocate, Self.leaked, at: at((0x10, 21)), time: 1030, arguments: [1, 24])
      stream.add(Self.retain, Self.leaked, count: 2, at: at((0x10, 22), taken))
      stream.add(Self.release, Self.leaked, count: 1, at: at((0x10, 30), end))
    }
    let snapshot = HeapSnapshot(process: 1, graph: heap.graph())
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), heap: snapshot, names: Self.names) }
    #expect(diagnosis.lifetimes.map(\.id.number) == [2], "only the leaked object is described")
    return try #require(diagnosis.findings.first?.leak)
  }

  @Test("The release that balanced the same reference to a freed object is named")
  func released() throws {
    let leak = try leak { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x12, 11)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 28), (0x12, 11)))
    }
    let counterpart = try #require(leak.steps.first?.counterpart)
    #expect(counterpart.object.number == 1)
    #expect([3, 4].contains(counterpart.release.event.sequence), "both are at one place")
    #expect(counterpart.isSure)
  }

  @Test("If the program released another reference elsewhere, either may have been the one")
  func doubtful() throws {
    let leak = try leak { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x12, 11)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 29), (0x15, 15)))
    }
    #expect(leak.steps.first?.counterpart?.isSure == false)
  }

  @Test("A deinit, and the statement that took a reference, did not decide to release it")
  func undecided() throws {
    let deinited = try leak { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x14, 18)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 29)))
    }
    #expect(deinited.steps.allSatisfy { $0.counterpart == nil })
    let momentary = try leak { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 29)))
    }
    #expect(momentary.steps.allSatisfy { $0.counterpart == nil })
  }

  @Test("What released the leaked object as well is not what it lacked")
  func both() throws {
    let leak = try leak(end: (0x12, 11)) { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x12, 11)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 28), (0x12, 11)))
    }
    #expect(leak.steps.allSatisfy { $0.counterpart == nil })
  }

  @Test("A property's reference is given up by the class that has it, not by others")
  func otherClass() throws {
    let leak = try leak { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x13, 15)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 28), (0x13, 15)))
    }
    #expect(leak.steps.allSatisfy { $0.counterpart == nil })
  }

  @Test("The class whose method took a reference may also give it up")
  func takersClass() throws {
    let leak = try leak(taken: (0x17, 14)) { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x17, 14)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x13, 15)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 29)))
    }
    #expect(leak.steps.first?.counterpart?.object.number == 1)
  }

  @Test("What matters about a setter's release is who set the property")
  func setter() throws {
    let leak = try leak(end: (0x16, 3)) { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x11, 7)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x12, 11), (0x16, 3)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 29)))
    }
    #expect(leak.steps.first?.counterpart?.release.event.sequence == 3)
  }

  @Test("A freed object that was never held in this way shows nothing")
  func unlike() throws {
    let leak = try leak { stream in
      stream.add(Self.retain, Self.freed, count: 2, at: at((0x10, 22), (0x13, 14)))
      stream.add(Self.release, Self.freed, count: 1, at: at((0x10, 28), (0x12, 11)))
      stream.add(Self.release, Self.freed, count: 0, at: at((0x10, 29)))
    }
    #expect(leak.steps.allSatisfy { $0.counterpart == nil })
  }
}
