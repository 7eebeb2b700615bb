import Foundation
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct DamageTests {
  private func sentence(_ bytes: [UInt8]) throws -> String {
    try TraceBuilder.withFile(containing: bytes) { path in
      let error = #expect(throws: TraceError.self) { try Trace(path: path) }
      return error?.description.replacing(path, with: "FILE") ?? ""
    }
  }

  @Test("A file that is not a trace is rejected with the reason")
  func refusals() throws {
    try #expect(sentence([]) == "The file FILE is empty, so it is not a trace.")
    try #expect(sentence(Array("hello, world\n".utf8)) == "The file FILE is not a Lifeline trace.")
    let whole = TraceBuilder().bytes
    try #expect(
      sentence(Array(whole[..<100])) == "The trace FILE is cut off within its header; nothing in it can be read.")
    var other = whole
    other[8] = 9
    try #expect(
      sentence(other)
        == "The trace FILE has version 9, but this lifeline reads version 3; "
        + "read it with the lifeline that recorded it."
    )
    other = whole
    other[16] = 1
    try #expect(sentence(other) == "The header of the trace FILE is damaged; nothing in it can be read.")
    let missing = #expect(throws: TraceError.self) { try Trace(path: "/nonexistent/trace") }
    #expect(missing?.description == "There is no file /nonexistent/trace.")
    let folder = #expect(throws: TraceError.self) { try Trace(path: "/") }
    #expect(folder?.description == "/ is a folder, not a trace.")
  }

  private func sample() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    for chunk in 0..<3 {
      builder.addEvents(clock: UInt64(1000 + chunk * 1000)) { stream in
        for index in 0..<50 {
          let address = UInt64(0x5000 + index * 64)
          stream.add(3, address, at: [0x10, 0x20], time: stream.lastClock + 3, arguments: [1, 0])
          stream.add(1, address, count: 2, at: [0x10, 0x20 + UInt64(index % 5)], time: stream.lastClock + 1)
          stream.add(2, address, count: 1, at: [0x10])
        }
      }
    }
    return builder
  }

  @Test("A chunk with a wrong checksum is left out and named, and the others are read")
  func checksum() throws {
    try sample().withFile({ $0[4096 + 2 * TraceBuilder.chunkSize + 100] ^= 1 }) { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      var count = 0
      while try reader.next(&event) { count += 1 }
      #expect(count == 300)
      #expect(reader.problems == ["Chunk 1 of stream 1 is damaged (its checksum is wrong); its events were left out."])
    }
  }

  @Test("A missing chunk is named")
  func missingChunk() throws {
    var builder = TraceBuilder()
    builder.addEvents { $0.add(1, 0x5000, count: 2, time: 1010) }
    builder.addEvents(skippingChunks: 2) { $0.add(1, 0x5000, count: 3, time: 1020) }
    try builder.withFile { path in
      try #expect(Trace(path: path).problems == ["Chunks 1 to 2 of stream 1 are missing."])
      try #expect(listing(path).count == 2)
    }
  }

  @Test("Records that cannot all be appended leave the trace as it was")
  func halfAppended() throws {
    try sample().withFile { path in
      try TraceSealer(path: path).seal(end: .unknown)
      let url = URL(fileURLWithPath: path)
      let before = try Data(contentsOf: url)
      // The second one fills a chunk, which is written before the third one is refused.
      let sizes = [TraceBuilder.chunkSize / 2, TraceBuilder.chunkSize / 2, TraceBuilder.chunkSize]
      #expect(throws: TraceError("A record of \(TraceBuilder.chunkSize) bytes does not fit into the trace \(path).")) {
        try TraceAppender(path: path).append(kind: 99, sizes.map { [UInt8](repeating: 1, count: $0) })
      }
      #expect(try Data(contentsOf: url) == before)
      #expect(try Trace(path: path).problems == [])
    }
  }

  @Test("A chunk that was lost after the trace was completed is missing, whether or not others of its stream are there")
  func lostChunks() throws {
    for lost in 1...3 {
      try sample().withFile { path in
        try TraceSealer(path: path).seal(end: .unknown)
        try TraceAppender(path: path).append(kind: 99, [[1, 2, 3]])
        try #expect(Trace(path: path).problems == [])
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(4096 + (lost + 1) * TraceBuilder.chunkSize))
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
        let problems = try Trace(path: path).problems
        #expect(problems.contains("1 of 5 chunks is missing: there are zeros instead."), "\(lost): \(problems)")
        // A second completion does not hide the loss.
        try TraceSealer(path: path).seal(end: .unknown)
        try #expect(Trace(path: path).problems == problems)
      }
    }
  }

  @Test("An open chunk is read up to its first zero byte, and the sealer completes it")
  func openChunk() throws {
    var builder = TraceBuilder()
    builder.end = (0, 0)
    builder.addEvents(sealed: false) {
      $0.add(1, 0x5000, count: 2, at: [0x10], time: 1010)
      $0.add(2, 0x5000, count: 1, at: [0x10])
    }
    try builder.withFile { path in
      let before = try listing(path)
      #expect(before.count == 2)
      try TraceSealer(path: path).seal(end: .signal(11))
      try #expect(Trace(path: path).recording.end == .signal(11))
      try #expect(listing(path) == before)
    }
  }

  @Test("If the recorder did not see the end, the sealer writes its time")
  func timeOfTheEnd() throws {
    var builder = TraceBuilder()
    builder.end = (0, 0)
    builder.addEvents(sealed: false) { $0.add(1, 0x5000, count: 2, at: [0x10], time: 1010) }
    try builder.withFile { path in
      let before = try Trace(path: path).recording
      try TraceSealer(path: path).seal(end: .unknown)
      #expect(try Trace(path: path).recording.duration == before.duration)
      try TraceSealer(path: path).seal(end: .signal(9))
      let after = try Trace(path: path).recording
      #expect(after.duration > before.duration && after.clockSpan.upperBound > before.clockSpan.upperBound)
      try TraceSealer(path: path).seal(end: .signal(9))
      #expect(try Trace(path: path).recording.duration == after.duration)
    }
  }

  @Test("A trace cut off anywhere yields only true events")
  func truncation() throws {
    let whole = sample().bytes
    let truth = try TraceBuilder.withFile(containing: whole) { try listing($0) }
    for length in stride(from: 4096, to: whole.count, by: 9973) {
      try TraceBuilder.withFile(containing: Array(whole[..<length])) { path in
        let lines = try listing(path)
        #expect(lines.count % 150 == 0 && lines == Array(truth[..<lines.count]))
      }
    }
  }

  @Test("Flipped bits never crash the reader, nor invent an event in sealed chunks")
  func flippedBits() throws {
    let whole = sample().bytes
    let truth = try TraceBuilder.withFile(containing: whole) { try listing($0) }
    let bodies = Set(truth.map { $0.drop { $0 != " " } })
    var random = SeededGenerator(seed: 4711)
    for _ in Rounds.some(100) {
      var damaged = whole
      let chunk = Int.random(in: 1...3, using: &random)
      let offset = 4096 + chunk * TraceBuilder.chunkSize + 64 + Int.random(in: 0..<600, using: &random)
      damaged[offset] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      try TraceBuilder.withFile(containing: damaged) { path in
        let lines = try listing(path)
        #expect(lines.allSatisfy { bodies.contains($0.drop { $0 != " " }) })
        #expect(lines.count >= 300)
      }
    }
  }

  @Test("Random bytes in an open chunk cause an error, not a crash")
  func noise() throws {
    var random = SeededGenerator(seed: 42)
    for _ in Rounds.some(60) {
      var builder = TraceBuilder()
      builder.addEvents(sealed: false) { _ in }
      try builder.withFile({ bytes in
        for index in 0..<4000 {
          bytes[4096 + TraceBuilder.chunkSize + 64 + index] = UInt8.random(in: 0...255, using: &random)
        }
      }) { path in
        let reader = try Trace(path: path).events()
        var event = Event()
        while try reader.next(&event) {}
        #expect(reader.sequence < 4000)
      }
    }
  }
}
