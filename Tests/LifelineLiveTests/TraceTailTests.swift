import CLifelineFormat
import Foundation
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct TraceTailTests {
  /// A trace whose only event chunk is open, and the offset at which each of its events ends.
  private func growing(_ count: UInt64) -> (bytes: [UInt8], ends: [Int]) {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Job")
    var ends: [Int] = []
    builder.addEvents(sealed: false) { events in
      for index in 0..<count {
        events.add(3, 0x1000 + 16 * index, at: [0x10, 0x20 + index % 7], time: 1001 + index, arguments: [1, 0])
        ends.append(events.bytes.count)
      }
    }
    return (builder.bytes, ends)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  private func read(_ tail: TraceTail) throws -> [UInt64] {
    var objects: [UInt64] = []
    try tail.look()
    _ = try tail.read(chunks: .max) { batch, _ in
      for index in 0..<batch.count { objects.append(batch.events[index].object) }
    }
    return objects
  }

  @Test("Each event of a growing chunk is returned once, after it was committed")
  func grows() throws {
    let (bytes, ends) = growing(300)
    let start = TraceBuilder.offset(ofChunk: 1) + 64
    let empty = Array(bytes[..<start]) + [UInt8](repeating: 0, count: bytes.count - start)
    try TraceBuilder.withFile(containing: empty) { path in
      let tail = try TraceTail(path: path)
      try #expect(read(tail) == [])
      var given: [UInt64] = []
      for (index, end) in ends.enumerated() where index % 7 == 0 || index == 299 {
        try write(Array(bytes[..<(start + end)]), path)
        given += try read(tail)
        #expect(given.count == index + 1)
      }
      #expect(given == (0..<300 as Range<UInt64>).map { 0x1000 + 16 * $0 })
      #expect(tail.problems == [] && tail.events == 300)
      #expect(tail.tables.classes[1]?.name == "App.Job")
    }
  }

  @Test("With more open chunks than decoders, each chunk returns its events once, with backtraces")
  func growTogether() throws {
    let streams = 7, count = 60 as UInt64
    var builder = TraceBuilder()
    var ends: [[Int]] = Array(repeating: [], count: streams)
    for stream in 0..<streams {
      builder.addEvents(stream: UInt32(stream), thread: UInt32(stream + 1), sealed: false) { events in
        for index in 0..<count {
          let object = 0x10000 * UInt64(stream + 1) + 16 * index
          events.add(3, object, at: [0x10, 0x20 + index % 7], time: 1001 + index, arguments: [1, 0])
          ends[stream].append(events.bytes.count)
        }
      }
    }
    let whole = builder.bytes
    let starts = (1...streams).map { TraceBuilder.offset(ofChunk: $0) + 64 }
    /// The file's contents when each chunk has this many of its events.
    func bytes(_ events: [Int]) -> [UInt8] {
      var bytes = whole
      for stream in 0..<streams {
        let end = events[stream] == 0 ? 0 : ends[stream][events[stream] - 1]
        for place in (starts[stream] + end)..<(starts[stream] + ends[stream].last!) { bytes[place] = 0 }
      }
      return bytes
    }
    var random = SeededGenerator(seed: 9)
    var written = Array(repeating: 0, count: streams)
    var given: [UInt32: [UInt64]] = [:]
    try TraceBuilder.withFile(containing: bytes(written)) { path in
      let tail = try TraceTail(path: path)
      while written.contains(where: { $0 < Int(count) }) {
        for _ in 0..<3 {
          let stream = Int.random(in: 0..<streams, using: &random)
          written[stream] = min(Int(count), written[stream] + Int.random(in: 0...9, using: &random))
        }
        try write(bytes(written), path)
        try tail.look()
        _ = try tail.read(chunks: .max) { batch, stream in
          for index in 0..<batch.count {
            let event = batch.events[index]
            given[stream, default: []].append(event.object)
            let sites = tail.backtraces.entries(batch.backtraces[index]).map(\.address)
            #expect(sites.sorted() == [0x10, 0x20 + event.object / 16 % 0x1000 % 7])
          }
        }
      }
      #expect(tail.problems == [])
      for stream in 0..<streams {
        let objects = (0..<count).map { 0x10000 * UInt64(stream + 1) + 16 * $0 }
        #expect(given[UInt32(stream)] == objects)
      }
    }
  }

  @Test("New chunks follow, sealed or not; a chunk that is only claimed is waited for")
  func chunks() throws {
    var builder = TraceBuilder()
    for chunk in 0..<4 as Range<UInt64> {
      builder.addEvents(clock: 1000 * (chunk + 1)) { events in
        for index in 0..<10 as Range<UInt64> { events.add(3, 0x1000 * (chunk + 1) + 16 * index, arguments: [1, 0]) }
      }
    }
    let bytes = builder.bytes
    let third = TraceBuilder.offset(ofChunk: 3), last = TraceBuilder.offset(ofChunk: 4)
    try TraceBuilder.withFile(containing: Array(bytes[..<third])) { path in
      let tail = try TraceTail(path: path)
      try #expect(read(tail).count == 20)
      // The fourth began before the third.
      let hole = [UInt8](repeating: 0, count: last - third)
      try write(Array(bytes[..<third]) + hole + bytes[last...], path)
      try #expect(read(tail).first == 0x4000)
      try write(bytes, path)
      try #expect(read(tail).first == 0x3000)
      try #expect(read(tail) == [])
      #expect(tail.problems == [])
    }
  }

  @Test("A ring's base line comes first, then the kept events; a chunk dropped before it was read is missed")
  func ring() throws {
    func ring(_ sequence: UInt64, _ objects: [UInt64]) -> [UInt8] {
      var builder = TraceBuilder()
      builder.keepSize = 1 << 20
      builder.horizon = 5000
      builder.addClass(1, "App.Node")
      builder.addBaseObjects([lifeline_base_object(at: 0x1000, classID: 1, number: 1, born: 2000, changed: 2000)])
      builder.addEvents(clock: 4000, skippingChunks: sequence) { events in
        // The base line already has the first one.
        events.add(3, 0x2000, time: 4500, arguments: [1, 0])
        for object in objects { events.add(3, object, time: 6000, arguments: [1, 0]) }
      }
      return builder.bytes
    }
    try TraceBuilder.withFile(containing: ring(7, [0x3000])) { path in
      let tail = try TraceTail(path: path)
      try #expect(read(tail) == [0x1000, 0x2000, 0x1000, 0x2000, 0x3000])
      try #expect(read(tail) == [])
      try write(ring(8, [0x4000]), path)
      try #expect(read(tail) == [0x4000])
      #expect(tail.problems == [])
      try write(ring(10, [0x5000]), path)
      try #expect(read(tail) == [0x5000])
      #expect(
        tail.problems == ["Some events were discarded (--keep) before they were read, so the numbers are incomplete."])
    }
  }

  @Test("A long trace is read in parts")
  func parts() throws {
    var builder = TraceBuilder()
    for _ in 0..<5 { builder.addEvents { $0.add(3, 0x1000, arguments: [1, 0]) } }
    try builder.withFile { path in
      let tail = try TraceTail(path: path)
      try tail.look()
      try #expect(!tail.read(chunks: 3) { _, _ in })
      #expect(tail.events == 3 && tail.waiting == 2)
      try #expect(tail.read(chunks: 3) { _, _ in })
      #expect(tail.events == 5)
    }
  }

  @Test("A truncated trace is an error, and a removed or replaced one is noticed")
  func truncated() throws {
    try TraceBuilder().withFile { path in
      let tail = try TraceTail(path: path)
      try tail.look()
      #expect(tail.name == .stands)
      try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
      #expect(tail.name == .removed)
      try write([1], FileManager.default.createFile(atPath: path, contents: nil) ? path : "")
      #expect(tail.name == .replaced)
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
      truncate(path, 5000)
      #expect(
        throws: TraceError("The trace \(path) was truncated to 5000 bytes while being watched; record it again.")
      ) {
        try tail.look()
      }
    }
  }

  @Test("Damage is named, and the rest is read")
  func damage() throws {
    var builder = TraceBuilder()
    for chunk in 0..<3 as Range<UInt64> { builder.addEvents { $0.add(3, 0x1000 + 16 * chunk, arguments: [1, 0]) } }
    try builder.withFile({ $0[TraceBuilder.offset(ofChunk: 2) + 65] ^= 1 }) { path in
      let tail = try TraceTail(path: path)
      try #expect(read(tail) == [0x1000, 0x1020])
      #expect(tail.problems.count == 1 && tail.problems[0].contains("its checksum is wrong"))
    }
  }

  @Test("Invalid bytes in an open chunk are damage if they are still invalid at the second read")
  func nonsense() throws {
    var (bytes, ends) = growing(10)
    let start = TraceBuilder.offset(ofChunk: 1) + 64
    for index in 0..<12 { bytes[start + ends[4] + index] = 0xFF }
    try TraceBuilder.withFile(containing: bytes) { path in
      let tail = try TraceTail(path: path)
      try #expect(read(tail).count == 5)
      #expect(tail.problems == [])
      try #expect(read(tail) == [])
      #expect(tail.problems.count == 1 && tail.problems[0].contains("its later events were left out"))
    }
  }

  @Test("Garbage of any kind is read to its end or rejected with an error", arguments: 0..<60)
  func garbage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (bytes, _) = growing(200)
    for _ in 0..<8 {
      bytes[Int.random(in: 16..<TraceBuilder.offset(ofChunk: 1) + 900, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    try TraceBuilder.withFile(containing: bytes) { path in
      do {
        let tail = try TraceTail(path: path)
        for _ in 0..<3 { try #expect(read(tail).count <= 200) }
      } catch let error as TraceError {
        #expect(error.description.contains(path))
      }
    }
  }
}
