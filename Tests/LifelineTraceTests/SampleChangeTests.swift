import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Traces of a recorder that reduced its sample (--max-overhead).
@Suite struct SampleChangeTests {
  /// The decision of Process/sample.h.
  private func isChosen(_ object: UInt64, of denominator: UInt64) -> Bool {
    (object &* 0x9E37_79B9_7F4A_7C15) >> 32 < (1 << 32) / denominator
  }

  @Test("Objects not recorded to their end are left out, except those with a caught problem")
  func leftOut() throws {
    var builder = TraceBuilder()
    builder.sample = 4
    builder.addClass(3, "App.Node")
    builder.addSampleChange(to: 2, clock: 1500)
    builder.addSampleChange(to: 4, clock: 2000)
    let objects = (1...200).map { UInt64($0) << 12 }
    let caught = try #require(objects.first { !isChosen($0, of: 4) })
    builder.addEvents { events in
      for (index, object) in objects.enumerated() {
        events.add(3, object, time: 1100 + UInt64(index), arguments: [3, 0])
      }
      events.add(21, caught, time: 1400, arguments: [2, 0, 0])
      for object in objects where isChosen(object, of: 4) { events.add(4, object, time: 3000) }
    }
    let expected = objects.filter { isChosen($0, of: 4) || $0 == caught }
    #expect((20...90).contains(expected.count))
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.tables.sampleChanges.map(\.denominator) == [2, 4] && trace.recording.sample == 4)
      let reader = trace.events()
      var event = Event()
      var births: [UInt64] = [], kinds: [EventKind] = []
      while try reader.next(&event) {
        if event.kind == .allocate { births.append(event.object) }
        kinds.append(event.kind)
        #expect(event.sequence == UInt64(kinds.count))
      }
      #expect(births == expected && kinds.count == 2 * expected.count)
      #expect(reader.sequence == UInt64(kinds.count))
      // The same events, read in batches.
      let batches = trace.batches()
      var again: [EventKind] = []
      while let batch = try batches.next() {
        #expect(batch.events[0].sequence == UInt64(again.count + 1))
        again += (0..<batch.count).map { batch.events[$0].kind }
      }
      #expect(again == kinds && batches.sequence == UInt64(kinds.count))
    }
  }

  @Test("A trace of such a recorder without any event is read to its end", .timeLimit(.minutes(60)))
  func nothing() throws {
    var builder = TraceBuilder()
    builder.sample = 2
    builder.addSampleChange(to: 2, clock: 1500)
    try builder.withFile { path in
      let reader = try Trace(path: path).batches()
      #expect(try reader.next() == nil)
    }
  }
}
