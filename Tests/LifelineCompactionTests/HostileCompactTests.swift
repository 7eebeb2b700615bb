import CLifelineFormat
import LifelineCompaction
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct HostileCompactTests {
  private static let whole = CompactSample.trace.bytes

  /// Modifies a compact trace and returns the resulting error.
  private func sentence(_ change: (inout [UInt8]) -> Void) throws -> String {
    var bytes = try CompactSample.compacted(Self.whole)
    change(&bytes)
    return try TraceBuilder.withFile(containing: bytes) { path in
      let error = #expect(throws: TraceError.self) { try Trace(opening: path) }
      return error?.description.replacing(path, with: "FILE") ?? ""
    }
  }

  @Test("A compact trace that is cut off, unfinished or has a changed directory is rejected with an error")
  func refusals() throws {
    let damaged = "The compact trace FILE is damaged or incomplete; compact its trace again."
    try #expect(sentence { $0.removeLast(1) } == damaged)
    try #expect(sentence { $0.removeLast($0.count - 4100) } == damaged)
    try #expect(sentence { for index in 4096..<4160 { $0[index] = 0 } } == damaged)
    try #expect(sentence { $0[50] ^= 1 } == damaged)
    try #expect(sentence { $0[$0.count - 1] ^= 1 } == damaged)
  }

  @Test(
    "Sizes larger than the file allocate nothing and are rejected",
    arguments: [
      (4096, 1 << 62), (4096, .max), (4096, 4095), (4104, .max), (4104, 0), (4112, 0), (4112, 0xFFFF_FFFF),
      (4112, 1 << 32 | 1),
    ] as [(Int, UInt64)])
  func sizes(offset: Int, value: UInt64) throws {
    let result = try sentence { bytes in
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: UInt64.self) }
      TraceBuilder.reseal(compact: &bytes)
    }
    #expect(result == "The compact trace FILE is damaged or incomplete; compact its trace again.")
  }

  @Test("A damaged group's events are left out, its chunks are named, and the trace cannot be expanded")
  func damagedGroup() throws {
    var bytes = try CompactSample.compacted(Self.whole)
    bytes[4160 + 300] ^= 0x10
    let (events, problems) = try CompactSample.reading(bytes)
    #expect(events.isEmpty)
    #expect(problems.count == 7)
    #expect(problems.contains("Chunk 1 of stream 1 is damaged (its checksum is wrong); its events were left out."))
    #expect(
      problems.contains {
        $0.hasPrefix("Chunk 2 of stream 2 is damaged at byte ") && $0.contains("there is no event kind 255")
      })
    #expect(throws: TraceError.self) { try CompactSample.expanded(bytes) }
  }

  @Test("A column that inflates beyond its stated size, or states more than a group holds, is damage")
  func bombs() throws {
    for (place, value) in [
      (4160, UInt32.max), (4160 + 8 * 2, 1 << 30), (4160 + 8 * 2, 1), (4160 + 8 * 2 + 4, UInt32.max),
    ] {
      var bytes = try CompactSample.compacted(Self.whole)
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: place, as: UInt32.self) }
      TraceBuilder.reseal(compact: &bytes)
      try #expect(CompactSample.reading(bytes).events.isEmpty)
    }
  }

  @Test("Flipped bits never crash the reader, and sealed chunks yield either their true events or none")
  func flippedBits() throws {
    let compact = try CompactSample.compacted(Self.whole)
    let truth = try CompactSample.reading(Self.whole).events
    var random = SeededGenerator(seed: 4711)
    for round in Rounds.some(100) {
      var bytes = compact
      for _ in 0..<(round % 3 + 1) {
        bytes[Int.random(in: 4096..<bytes.count, using: &random)] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      }
      if round % 2 == 0 { TraceBuilder.reseal(compact: &bytes) }
      let events = (try? CompactSample.reading(bytes).events) ?? []
      if round % 2 == 1 { #expect(events.isEmpty || events == truth) }
    }
  }
}
