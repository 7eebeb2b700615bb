import CLifelineFormat

/// Applies events that are older than the horizon but still in the ring to the base line, as the recorder does
/// (fold.c), except that an event may already have been applied.
struct BaseLineFolder {
  private(set) var baseLine: BaseLine
  private let decoder: StreamDecoder
  /// The event clocks up to which an object of which the base line knows nothing may have ended, if it was used or
  /// allocated before.
  private let forgotten: (object: UInt64, end: UInt64)
  /// Event clocks of frees to which another thread's later event was applied first, by address: that thread was
  /// interrupted between changing the count and reading the clock.
  private var earlierEnds: [UInt64: UInt64] = [:]

  init(_ baseLine: BaseLine, header: lifeline_file_header) {
    self.baseLine = baseLine
    forgotten = (max(header.evicted, header.forgotten), header.forgotten)
    let (chunkSize, frames) = (Int(header.chunk_size), Int(header.frames))
    decoder = StreamDecoder(chunkSize: chunkSize, frames: frames)
  }

  /// Applies a chunk's events up to the horizon; returns their number, nil if the chunk is damaged.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  mutating func fold(_ chunk: Chunk, of file: any TraceContents) throws -> Int? {
    let buffer = UnsafeMutableRawBufferPointer(rebasing: decoder.chunk[..<chunk.length])
    let count = try file.read(into: buffer, at: chunk.offset)
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    if chunk.isSealed {
      guard count == chunk.length, chunk.isIntact(UnsafeRawBufferPointer(rebasing: buffer[headerSize...])) else {
        return nil
      }
    }
    decoder.begin(length: count, clock: chunk.firstClock, thread: chunk.thread)
    var event = Event()
    var events = 0
    while decoder.next(&event), event.clock <= baseLine.horizon {
      take(event)
      events += 1
    }
    return events
  }

  private mutating func take(_ event: Event) {
    switch event.kind {
    case .allocate: allocate(event)
    case .deallocate: change(event, to: .deinited)
    case .free: change(event, to: .freed)
    default:
      if event.kind.isCaught { note(event) } else if event.kind.hasCount { change(event, to: .live) }
    }
  }

  private mutating func allocate(_ event: Event) {
    let classID = UInt32(truncatingIfNeeded: event.argument0)
    baseLine.allocated[Int(classID), default: 0] += 1
    if event.clock < forgotten.end, baseLine.objects[event.object] == nil { return }
    var born = BaseLine.Object(address: event.object, changed: event.clock)
    born.birth = event.clock
    born.classID = classID
    born.size = UInt32(truncatingIfNeeded: event.argument1)
    born.thread = event.thread
    born.backtrace = decoder.intern(into: &baseLine.backtraces).rawValue
    born.count = 2
    born.number = UInt32(truncatingIfNeeded: baseLine.allocated[Int(classID)]!)
    if var known = baseLine.objects[event.object], event.clock < known.changed {
      // Other threads' later events came first: they belong to the object allocated last before them.
      guard event.clock > known.birth else { return }
      if let end = earlierEnds[event.object] { known.state = end < event.clock ? .live : .freed }
      known.birth = born.birth
      known.classID = classID
      known.size = born.size
      known.thread = born.thread
      known.backtrace = born.backtrace
      known.number = born.number
      born = known
    } else {
      earlierEnds[event.object] = nil
    }
    baseLine.objects[event.object] = born
  }

  private mutating func change(_ event: Event, to state: BaseLine.Object.State) {
    if state != .freed, event.clock < forgotten.object, baseLine.objects[event.object] == nil { return }
    var object =
      baseLine.objects[event.object] ?? BaseLine.Object(address: event.object, changed: event.clock, state: state)
    guard event.clock >= object.changed else {
      if state == .freed { end(object, by: event) }
      return
    }
    object.changed = event.clock
    if state == .freed {
      earlierEnds[event.object] = nil
      object.endThread = event.thread
      object.endBacktrace = decoder.intern(into: &baseLine.backtraces).rawValue
    }
    if state != .live { object.state = state }
    if state == .live, object.state == .live { object.count = UInt32(clamping: event.count &+ 1) }
    baseLine.objects[event.object] = object
  }

  /// Applies a free to which another thread's later event was applied first.
  private mutating func end(_ object: BaseLine.Object, by event: Event) {
    guard event.clock >= object.birth, object.state != .freed else { return }
    earlierEnds[event.object] = event.clock
    var object = object
    object.endThread = event.thread
    object.endBacktrace = decoder.intern(into: &baseLine.backtraces).rawValue
    // Until its allocation is known, it may be that of an earlier object.
    if object.birth != 0 { object.state = .freed }
    baseLine.objects[event.object] = object
  }

  private mutating func note(_ event: Event) {
    let arguments = [event.argument0, event.argument1, event.argument2]
    let finding = BaseLine.Finding(
      clock: event.clock, object: event.object,
      arguments: Array(arguments.prefix(Int(lifeline_kind(UInt32(event.kind.rawValue)).arguments))), kind: event.kind,
      thread: event.thread, backtrace: decoder.intern(into: &baseLine.backtraces).rawValue)
    if !baseLine.findings.contains(finding) { baseLine.findings.append(finding) }
  }
}
