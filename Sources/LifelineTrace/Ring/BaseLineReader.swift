import CLifelineFormat

/// Reads the base line from its chunks. Invalid parts are omitted and reported, because nothing here can be trusted.
struct BaseLineReader {
  private(set) var baseLine: BaseLine
  private(set) var problems = ProblemList()

  /// More objects of one class than any program allocates: a million a second for half a year.
  private static let objectLimit: UInt64 = 1 << 44

  private let side: Int
  private let contents: Int
  /// Maps node numbers in the file to nodes of our own table; 0 is the empty backtrace.
  private var nodes: [UInt32] = [0]

  /// - Throws: `TraceError` if the file can no longer be read.
  init(_ file: any TraceContents, header: lifeline_file_header, chunks: [UInt32: [Chunk]]) throws {
    baseLine = BaseLine(horizon: header.horizon)
    side = Int(header.fold >> 32 & 1)
    contents = Int(header.chunk_size) - Int(LIFELINE_CHUNK_HEADER_SIZE)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(header.chunk_size), alignment: 64)
    defer { buffer.deallocate() }
    for sort in [LIFELINE_BASE_NODES, LIFELINE_BASE_OBJECTS, LIFELINE_BASE_TOTALS, LIFELINE_BASE_FINDINGS] {
      for chunk in chunks[sort] ?? [] {
        let count = try file.read(into: buffer, at: chunk.offset)
        guard count == buffer.count else {
          problems.append("A part of the base line, at byte \(chunk.offset), is cut off; it was left out.")
          continue
        }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[Int(LIFELINE_CHUNK_HEADER_SIZE)...])
        switch sort {
        case LIFELINE_BASE_NODES: readNodes(bytes, chunk)
        case LIFELINE_BASE_OBJECTS: readObjects(bytes)
        case LIFELINE_BASE_TOTALS: readTotals(bytes, chunk)
        default: readFindings(bytes)
        }
      }
    }
  }

  private mutating func readNodes(_ bytes: UnsafeRawBufferPointer, _ chunk: Chunk) {
    let size = MemoryLayout<lifeline_base_node>.stride
    let first = Int(clamping: chunk.sequence).multipliedReportingOverflow(by: contents / size)
    guard !first.overflow, nodes.count - 1 == first.partialValue else {
      return problems.append(
        "A part of the base line's backtraces is missing; some backtraces of older objects are empty.")
    }
    for index in 0..<contents / size {
      let node = bytes.loadUnaligned(fromByteOffset: index * size, as: lifeline_base_node.self)
      if node.word == 0 { break }
      // A caller precedes what it calls.
      guard Int(node.caller) < nodes.count else {
        problems.append("The base line has an invalid backtrace; it and later ones were left out.")
        break
      }
      nodes.append(baseLine.backtraces.child(of: nodes[Int(node.caller)], word: node.word))
    }
  }

  private func node(_ number: UInt32) -> UInt32 { Int(number) < nodes.count ? nodes[Int(number)] : 0 }

  private mutating func readObjects(_ bytes: UnsafeRawBufferPointer) {
    let size = MemoryLayout<lifeline_base_object>.stride
    for index in 0..<contents / size {
      let raw = bytes.loadUnaligned(fromByteOffset: index * size, as: lifeline_base_object.self)
      guard raw.address != 0 else { continue }
      guard let state = BaseLine.Object.State(rawValue: raw.state), raw.address % 8 == 0 else {
        problems.append(
          "The base line has an invalid object (address 0x\(String(raw.address, radix: 16))); it was left out.")
        continue
      }
      baseLine.objects[raw.address] = BaseLine.Object(
        address: raw.address, birth: raw.birth, changed: raw.changed, classID: raw.class_id, size: raw.size,
        thread: raw.thread, backtrace: node(raw.backtrace), endThread: raw.end_thread,
        endBacktrace: node(raw.end_backtrace), count: raw.count, state: state, number: raw.number)
    }
  }

  private mutating func readTotals(_ bytes: UnsafeRawBufferPointer, _ chunk: Chunk) {
    let size = MemoryLayout<lifeline_base_totals>.stride
    let each = contents / size
    for index in 0..<each {
      let raw = bytes.loadUnaligned(fromByteOffset: index * size, as: lifeline_base_totals.self)
      let value = side == 0 ? raw.allocated.0 : raw.allocated.1
      let id = Int(clamping: chunk.sequence).multipliedReportingOverflow(by: each).partialValue &+ index
      if id == 0 {
        baseLine.events = value
      } else if value > Self.objectLimit {
        problems.append("The base line has an impossible number of objects of class \(id) (\(value)); it was left out.")
      } else if value > 0 {
        baseLine.allocated[id] = value
      }
    }
  }

  private mutating func readFindings(_ bytes: UnsafeRawBufferPointer) {
    let size = MemoryLayout<lifeline_base_finding>.stride
    for index in 0..<contents / size {
      let raw = bytes.loadUnaligned(fromByteOffset: index * size, as: lifeline_base_finding.self)
      if raw.kind == 0 { break }
      guard let kind = UInt8(exactly: raw.kind).flatMap(EventKind.init), kind.isCaught, raw.object != 0 else {
        problems.append("The base line has a finding of the unknown kind \(raw.kind); it was left out.")
        continue
      }
      baseLine.findings.append(
        BaseLine.Finding(
          clock: raw.clock, object: raw.object,
          arguments: Array(
            [raw.arguments.0, raw.arguments.1, raw.arguments.2].prefix(Int(lifeline_kind(raw.kind).arguments))),
          kind: kind, thread: raw.thread, backtrace: node(raw.backtrace)))
    }
  }
}
