import LifelineCompaction
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct RoundTripTests {
  @Test("A compact trace expands to every byte of its trace and reads the same")
  func wholeTrace() throws {
    let whole = CompactSample.trace.bytes
    let compact = try CompactSample.compacted(whole)
    #expect(compact.count * 10 < whole.count)
    try #expect(CompactSample.expanded(compact) == whole)
    let (truth, read) = try (CompactSample.reading(whole), CompactSample.reading(compact))
    #expect(truth.events.count == 1200 && read.events == truth.events)
    #expect(read.problems == truth.problems)
  }

  @Test("A trace that consists only of its header can be compacted")
  func emptyTrace() throws {
    let bytes = Array(TraceBuilder().bytes[..<4096])
    try #expect(CompactSample.expanded(CompactSample.compacted(bytes)) == bytes)
  }

  @Test("A trace cut off anywhere can be compacted, and its compact form is cut off at the same place")
  func cutOff() throws {
    let whole = CompactSample.trace.bytes
    for length in [4096, 4097, 4096 + 63, 4096 + 64, 4096 + 65] + Array(stride(from: 4200, to: whole.count, by: 39_989))
    {
      let bytes = Array(whole[..<length])
      let compact = try CompactSample.compacted(bytes)
      try #expect(CompactSample.expanded(compact) == bytes)
      try #expect(CompactSample.reading(compact).problems == CompactSample.reading(bytes).problems)
    }
  }

  @Test("Invalid events, bytes after the end and invalid chunks survive the round trip")
  func damagedTraces() throws {
    let whole = CompactSample.trace.bytes
    var random = SeededGenerator(seed: 7)
    for round in Rounds.some(12) {
      var bytes = whole
      // Few changes, many, and whole chunks of noise.
      for _ in 0..<[1, 1000, 200_000][round % 3] {
        bytes[Int.random(in: 4096..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let compact = try CompactSample.compacted(bytes)
      try #expect(CompactSample.expanded(compact) == bytes)
      let (truth, read) = try (CompactSample.reading(bytes), CompactSample.reading(compact))
      #expect(read.events == truth.events && read.problems == truth.problems)
    }
  }

  @Test("A compact trace cannot be compacted again, and a plain trace cannot be expanded")
  func refusals() throws {
    let whole = CompactSample.trace.bytes
    try TraceBuilder.withFile(containing: CompactSample.compacted(whole)) { path in
      let error = #expect(throws: TraceError.self) { try CompactTraceWriter(TraceFile(path: path)) }
      #expect(error?.description == "The trace \(path) is already compact.")
    }
    try TraceBuilder.withFile(containing: whole) { path in
      let error = #expect(throws: TraceError.self) { try TraceExpander(TraceFile(path: path)) }
      #expect(error?.description == "The file \(path) is not a compact trace.")
    }
  }

  @Test("A reader without compaction support says how to restore a compact trace")
  func plainReader() throws {
    try TraceBuilder.withFile(containing: CompactSample.compacted(CompactSample.trace.bytes)) { path in
      let error = #expect(throws: TraceError.self) { try Trace(path: path) }
      #expect(
        error?.description
          == "The trace \(path) is compact and cannot be read here; restore it with `lifeline compact --expand`.")
    }
  }
}
