import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct ChunkHeaderTests {
  private func sample() -> TraceBuilder {
    var builder = TraceBuilder()
    for (stream, clock) in [(UInt32(1), UInt64(1000)), (2, 1500), (1, 2000)] {
      builder.addEvents(stream: stream, thread: stream, clock: clock) {
        $0.add(1, 0x5000, count: 2, at: [0x10], time: clock + 10)
        $0.add(2, 0x5000, count: 1, at: [0x20], time: clock + 20)
      }
    }
    return builder
  }

  private func read(_ bytes: [UInt8]) throws -> (events: [String], problems: [String]) {
    try TraceBuilder.withFile(containing: bytes) { path in
      let trace = try Trace(path: path)
      let reader = trace.events()
      var event = Event()
      while try reader.next(&event) {}
      // Without the sequence number, which is the position among the remaining events.
      return (try listing(path).map { String($0.drop { $0 != " " }) }, trace.problems + reader.problems)
    }
  }

  @Test("A flipped bit in a sealed chunk's header never moves its events to another thread or time unnoticed")
  func flips() throws {
    let whole = sample().bytes
    let truth = try read(whole)
    #expect(truth.events.count == 6 && truth.problems == [])
    let start = TraceBuilder.offset(ofChunk: 2)
    for bit in 0..<512 {
      var damaged = whole
      damaged[start + bit / 8] ^= 1 << (bit % 8)
      let found = try read(damaged)
      if found.events != truth.events {
        #expect(found.events == truth.events.filter { !$0.contains(" t2 ") }, "bit \(bit)")
      }
      // Without its flag, a chunk is still recognized as sealed by its checksum.
      #expect(!found.problems.isEmpty || found.events == truth.events && bit / 32 == 5, "bit \(bit)")
    }
  }

  @Test("A damaged header is named, and so is the chunk missing because of it")
  func wording() throws {
    var damaged = sample().bytes
    damaged[TraceBuilder.offset(ofChunk: 1) + 24] ^= 1
    try #expect(
      read(damaged).problems == [
        "The header of the chunk at byte 69632 is damaged; the chunk was left out.", "Chunk 0 of stream 1 is missing.",
      ])
    damaged = sample().bytes
    damaged[TraceBuilder.offset(ofChunk: 1)] ^= 1
    try #expect(
      read(damaged).problems == [
        "Byte 69632 does not start a valid chunk; it was skipped.", "Chunk 0 of stream 1 is missing.",
      ])
  }

  @Test("Of two chunks with the same position, the first is read and the other is named")
  func duplicates() throws {
    var damaged = sample().bytes
    damaged[TraceBuilder.offset(ofChunk: 3) + 8] = 0
    TraceBuilder.reseal(&damaged)
    let found = try read(damaged)
    #expect(
      found.problems == [
        "The chunk at byte 200704 has the same number as another, 0 of stream 1; it was left out."
      ])
    #expect(found.events.count == 4)
  }

  @Test("A sealed chunk whose events end before its header's length is named")
  func earlyEnd() throws {
    var damaged = sample().bytes
    damaged[TraceBuilder.offset(ofChunk: 1) + 40] ^= 1
    TraceBuilder.reseal(&damaged)
    let found = try read(damaged)
    #expect(
      found.problems == [
        "Chunk 0 of stream 1 does not end where its header says; some of its events or times may be wrong."
      ])
    #expect(found.events.count == 6)
  }

  @Test("Consecutive missing chunks are named once, including information chunks")
  func missing() throws {
    var builder = TraceBuilder()
    builder.addEvents(skippingChunks: 3) { $0.add(1, 0x5000, count: 2, time: 1010) }
    var bytes = builder.bytes
    bytes[TraceBuilder.offset(ofChunk: 0) + 8] = 1
    TraceBuilder.reseal(&bytes)
    try #expect(
      read(bytes).problems == ["Chunk 0 of the information is missing.", "Chunks 0 to 2 of stream 1 are missing."])
  }

  @Test("In a file damaged everywhere, the first hundred problems are listed")
  func manyProblems() throws {
    var builder = TraceBuilder()
    for _ in 0..<130 { builder.addEvents { $0.add(1, 0x5000, count: 2, time: 1010) } }
    var bytes = builder.bytes
    for chunk in 1...130 { bytes[TraceBuilder.offset(ofChunk: chunk) + 64] ^= 1 }
    let problems = try read(bytes).problems
    #expect(problems.count == 101)
    #expect(problems.last == "30 more problems are not listed.")
  }
}
