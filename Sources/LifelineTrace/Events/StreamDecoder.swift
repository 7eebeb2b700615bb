import CLifelineFormat

/// Decodes the events of one stream, chunk after chunk (lifeline_event.h has the encoding).
///
/// Every number from the file is checked before it is used; the first wrong one ends the chunk, and `damage` describes
/// it. Events decoded before it are kept.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class StreamDecoder {
  struct Damage { let offset: Int, sentence: String }

  struct Slot {
    var address: UInt64 = 0
    var count: UInt64 = 0
  }

  /// The state that every event changes. Code that decodes many events uses a copy, which stays in registers.
  struct Cursor {
    var position = 0
    var clock: UInt64 = 0
    var lastObject: UInt64 = 0
    var thread: UInt32 = 0
    /// String record of the label of the serial queue whose code ran at the last event; 0 if there was none.
    var queue: UInt32 = 0
    /// Number of the asynchronous task that ran at the last event; 0 if there was none.
    var task: UInt64 = 0
    var lastKind: UInt8 = 0
    var depth = 0
    /// Number of outermost frames that were interned and have not changed since.
    var interned = 0
  }

  /// Deeper stacks are invalid: the recorder keeps at most 4096 frames.
  static let stackLimit = 8192

  let buffer: UnsafeMutableRawBufferPointer
  let slots: UnsafeMutablePointer<Slot>
  let stack: UnsafeMutablePointer<UInt64>
  private let nodes: UnsafeMutablePointer<UInt32>
  private let kindFacts: UnsafeMutablePointer<KindFacts>
  @exclusivity(unchecked) var changes: ChangeTable
  @exclusivity(unchecked) private var sites: [UInt64] = []
  @exclusivity(unchecked) private var lastSite: UInt64 = 0
  @exclusivity(unchecked) private(set) var end = 0
  @exclusivity(unchecked) var cursor = Cursor()
  @exclusivity(unchecked) private(set) var damage: Damage?
  let frames: Int

  /// With a chunk size of 0 it can decode nothing and needs no memory.
  init(chunkSize: Int, frames: Int) {
    let isIdle = chunkSize == 0
    buffer = .allocate(byteCount: chunkSize, alignment: 64)
    slots = .allocate(capacity: Int(LIFELINE_OBJECT_CACHE_SIZE))
    slots.initialize(repeating: Slot(), count: Int(LIFELINE_OBJECT_CACHE_SIZE))
    // Written before they are read, entry by entry; untouched entries cost no memory.
    stack = .allocate(capacity: isIdle ? 0 : Self.stackLimit + Int(LIFELINE_PREDICTED_SITES))
    nodes = .allocate(capacity: isIdle ? 0 : Self.stackLimit)
    changes = ChangeTable(slots: isIdle ? 0 : Int(LIFELINE_PREDICTION_SLOTS))
    kindFacts = .allocate(capacity: 256)
    kindFacts.initialize(from: Self.facts, count: 256)
    self.frames = frames
  }

  deinit {
    buffer.deallocate()
    slots.deallocate()
    stack.deallocate()
    nodes.deallocate()
    kindFacts.deallocate()
    changes.deallocate()
  }

  /// The buffer for the bytes of the next chunk.
  var chunk: UnsafeMutableRawBufferPointer { buffer }

  /// Begins the chunk that was read into `chunk`, whose contents end before `length`.
  func begin(length: Int, clock: UInt64, thread: UInt32) {
    cursor = Cursor(position: Int(LIFELINE_CHUNK_HEADER_SIZE), clock: clock, thread: thread)
    end = min(max(length, cursor.position), buffer.count)
    slots.update(repeating: Slot(), count: Int(LIFELINE_OBJECT_CACHE_SIZE))
    sites.removeAll(keepingCapacity: true)
    changes.forget()
    lastSite = 0
    damage = nil
  }

  /// Continues in a chunk after more of it was read; its contents now end before `length`. Not after damage.
  func resume(length: Int) { end = min(max(length, cursor.position), buffer.count) }

  /// Whether these words are a proper prefix of the last event's backtrace, starting at the outermost site.
  func isInside(_ words: [UInt64]) -> Bool {
    guard cursor.depth > words.count else { return false }
    var index = words.count
    while index > 0 {
      index -= 1
      if stack[index] != words[index] { return false }
    }
    return true
  }

  /// The last known time.
  var clock: UInt64 { cursor.clock }

  /// Bytes decoded so far, including the chunk header.
  var decodedLength: Int { cursor.position }

  /// Whether an event was decoded since the chunk began.
  var hasEvents: Bool { cursor.position > Int(LIFELINE_CHUNK_HEADER_SIZE) }

  /// Records damage in the event at `position`, which ends the chunk.
  @inline(never)
  private func stop(_ position: Int, _ sentence: String) -> Bool {
    if damage == nil { damage = Damage(offset: position, sentence: sentence) }
    end = position
    return false
  }

  @inline(__always)
  private func byte(_ p: inout Int) -> UInt8? {
    guard p < end else { return nil }
    defer { p += 1 }
    return buffer[p]
  }

  @inline(__always)
  private func varint(_ p: inout Int) -> UInt64? {
    guard p < end else { return nil }
    let first = buffer[p]
    if first < 0x80 {
      p += 1
      return UInt64(first)
    }
    let (value, next) = longVarint(at: p)
    p = next
    return next == 0 ? nil : value
  }

  /// A varint of several bytes and the position after it, 0 if it is cut off. State changed by events is not passed by
  /// address, because that would keep it out of registers.
  @inline(never)
  func longVarint(at start: Int) -> (value: UInt64, next: Int) {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    var p = start
    while p < end, shift < 70 {
      let next = buffer[p]
      p += 1
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return (value, p) }
      shift += 7
    }
    return (0, 0)
  }

  @inline(__always)
  func unzigzag(_ value: UInt64) -> UInt64 { (value >> 1) ^ (0 &- (value & 1)) }

  /// Decodes the next event; false at the end of the chunk.
  func next(_ event: inout Event) -> Bool {
    var cursor = cursor
    defer { self.cursor = cursor }
    return withUnsafeMutablePointer(to: &event) { decodeCount(&cursor, $0) || decode(&cursor, $0) }
  }

  @inline(__always)
  func decode(_ cursor: inout Cursor, _ event: UnsafeMutablePointer<Event>) -> Bool {
    if isRunning(cursor.position) {
      guard let next = readRunning(cursor) else { return false }
      (cursor.task, cursor.queue, cursor.position) = next
    }
    let start = cursor.position
    guard start < end else { return false }
    let tag = buffer[start]
    if tag == 0 { return false }
    var p = start + 1
    var number = tag & UInt8(LIFELINE_EVENT_KIND_MASK)
    if number == UInt8(LIFELINE_EVENT_EXTENDED) {
      guard let extended = byte(&p) else { return stop(start, "an event is cut off") }
      number = extended
    }
    let facts = kindFacts[Int(number)]
    guard let kind = facts.kind else { return stop(start, "there is no event kind \(number)") }
    if tag & UInt8(LIFELINE_EVENT_TIME) != 0 {
      guard let delta = varint(&p) else { return stop(start, "a time is cut off") }
      cursor.clock &+= delta
    }
    event.pointee.kind = kind
    if facts.hasObject, tag & UInt8(LIFELINE_EVENT_SAME_OBJECT) == 0 {
      guard let first = byte(&p) else { return stop(start, "an object is cut off") }
      if first < 0x80 {
        cursor.lastObject = slots[Int(first)].address
      } else {
        var value = UInt64(first & 0x3F)
        if first & 0x40 != 0 {
          guard let rest = varint(&p) else { return stop(start, "an object is cut off") }
          value |= rest << 6
        }
        cursor.lastObject &+= unzigzag(value) &* 8
      }
    }
    event.pointee.object = facts.hasObject ? cursor.lastObject : 0
    if facts.hasObject, cursor.lastObject == 0 { return stop(start, "an event names no object") }
    var explicit: UInt64?
    if facts.hasCount, tag & UInt8(LIFELINE_EVENT_COUNT) != 0 {
      guard let count = varint(&p) else { return stop(start, "a count is cut off") }
      explicit = count
    }
    var arguments: (UInt64, UInt64, UInt64) = (0, 0, 0)
    if facts.arguments > 0 {
      guard let first = varint(&p) else { return stop(start, "an argument is cut off") }
      arguments.0 = first
      if facts.arguments > 1 {
        guard let second = varint(&p) else { return stop(start, "an argument is cut off") }
        arguments.1 = second
      }
      if facts.arguments > 2 {
        guard let third = varint(&p) else { return stop(start, "an argument is cut off") }
        arguments.2 = third
      }
    }
    event.pointee.argument0 = arguments.0
    event.pointee.argument1 = arguments.1
    event.pointee.argument2 = arguments.2
    event.pointee.count = facts.hasObject ? remember(cursor.lastObject, facts, explicit, arguments.0) : -1
    if kind == .thread {
      cursor.depth = 0
      cursor.task = 0
      cursor.queue = 0
      cursor.interned = 0
      cursor.thread = UInt32(truncatingIfNeeded: arguments.0)
    }
    if !changeBacktrace(&cursor, &p, explicit: tag & UInt8(LIFELINE_EVENT_BACKTRACE) != 0) { return false }
    event.pointee.clock = cursor.clock
    event.pointee.thread = cursor.thread
    event.pointee.task = cursor.task
    event.pointee.queue = cursor.queue
    cursor.lastKind = number
    cursor.position = p
    return true
  }

  /// Whether the next event says what its thread runs.
  @inline(__always)
  private func isRunning(_ p: Int) -> Bool {
    p + 1 < end && buffer[p] == UInt8(LIFELINE_EVENT_EXTENDED)
      && (buffer[p + 1] == UInt8(LIFELINE_EVENT_task.rawValue) || buffer[p + 1] == UInt8(LIFELINE_EVENT_queue.rawValue))
  }

  /// Skips events that say which task or queue's code runs: they are not counted, so that other events' numbers do not
  /// depend on executors. Returns the last ones and the position after them; nil if one is cut off.
  @inline(never)
  private func readRunning(_ cursor: Cursor) -> (task: UInt64, queue: UInt32, next: Int)? {
    var found = (task: cursor.task, queue: cursor.queue, next: cursor.position)
    while isRunning(found.next) {
      var p = found.next + 2
      let isTask = buffer[found.next + 1] == UInt8(LIFELINE_EVENT_task.rawValue)
      guard let number = varint(&p) else {
        _ = stop(found.next, "a \(isTask ? "task's" : "queue's") number is cut off")
        return nil
      }
      if isTask { found.task = number } else { found.queue = UInt32(truncatingIfNeeded: number) }
      found.next = p
    }
    return found
  }

  /// Updates the object cache; returns the count after the event, or -1.
  @inline(__always)
  private func remember(_ object: UInt64, _ facts: KindFacts, _ explicit: UInt64?, _ argument: UInt64) -> Int64 {
    let slot = slots + Int(lifeline_object_slot(object))
    var count = slot.pointee.address == object ? slot.pointee.count : 0
    var shown: Int64 = -1
    if facts.hasCount {
      if let explicit {
        shown = explicit == 0 ? -1 : Int64(truncatingIfNeeded: explicit &- 1)
        count = explicit == 0 ? 0 : explicit &- 1
      } else {
        let change = facts.changesByArgument ? facts.change &* Int64(truncatingIfNeeded: argument) : facts.change
        count = count &+ UInt64(bitPattern: change)
        shown = Int64(bitPattern: count)
      }
    }
    slot.pointee = Slot(address: object, count: count)
    return shown
  }

  /// Updates the stack; false if it is invalid.
  @inline(__always)
  private func changeBacktrace(_ cursor: inout Cursor, _ p: inout Int, explicit: Bool) -> Bool {
    let depth = cursor.depth
    if depth == 0, !explicit { return true }
    var entry: UnsafeMutablePointer<ChangeTable.Entry>?
    if depth > 0 {
      entry = changes.entry(innermost: stack[depth - 1], next: depth > 1 ? stack[depth - 2] : 0, kind: cursor.lastKind)
      if !explicit {
        guard let change = changes.prediction(entry!) else { return true }
        let pops = Int(change.pointee.pops), pushes = Int(change.pointee.pushes)
        guard pops <= depth, pushes <= Self.stackLimit - depth else {
          return stop(cursor.position, "a predicted backtrace pops \(pops) frames of \(depth)")
        }
        let base = depth - pops
        // There is room for all of them, and one more is never read.
        change.pointee.put(at: stack + base)
        cursor.interned = min(cursor.interned, base)
        cursor.depth = base + pushes
        return true
      }
    }
    let change = readChange(at: p, depth: depth, from: cursor.position, learning: entry)
    if change.next == 0 { return false }
    cursor.interned = min(cursor.interned, change.base)
    cursor.depth = change.depth
    p = change.next
    return true
  }

  /// Reads a backtrace change: the position after it, 0 if it is invalid, the depth and the unchanged part.
  @inline(never)
  private func readChange(
    at place: Int, depth before: Int, from start: Int, learning entry: UnsafeMutablePointer<ChangeTable.Entry>?
  ) -> (next: Int, depth: Int, base: Int) {
    var p = place
    func wrong(_ sentence: String) -> (next: Int, depth: Int, base: Int) {
      _ = stop(start, sentence)
      return (0, 0, 0)
    }
    guard let head = byte(&p) else { return wrong("a backtrace is cut off") }
    var pops = UInt64(head >> 4), pushes = UInt64(head & 15)
    if pops == 15 {
      guard let value = varint(&p) else { return wrong("a backtrace is cut off") }
      pops = value
    }
    if pushes == 15 {
      guard let value = varint(&p) else { return wrong("a backtrace is cut off") }
      pushes = value
    }
    guard pops <= UInt64(before) else { return wrong("a backtrace pops \(pops) frames of \(before)") }
    let base = before - Int(pops)
    guard pushes <= UInt64(Self.stackLimit - base) else {
      return wrong("a backtrace is \(UInt64(base) &+ pushes) frames deep")
    }
    var depth = base
    for _ in 0..<pushes {
      guard let reference = varint(&p) else { return wrong("a backtrace is cut off") }
      if reference == 0 {
        guard let delta = varint(&p) else { return wrong("a call site is cut off") }
        lastSite &+= unzigzag(delta)
        sites.append(lastSite)
        stack[depth] = lastSite
      } else {
        guard reference <= UInt64(sites.count) else {
          return wrong("call site \(reference) of \(sites.count) is named")
        }
        stack[depth] = sites[Int(reference) - 1]
      }
      depth += 1
    }
    if let entry { changes.learn(entry, pops: Int(pops), pushes: Int(pushes), end: stack + depth) }
    return (p, depth, base)
  }

  /// Site `index` of the backtrace, with 0 as the innermost; nil beyond its end.
  @inline(__always)
  func site(_ index: Int) -> BacktraceEntry? {
    guard index < cursor.depth, index < frames else { return nil }
    return BacktraceEntry(word: stack[cursor.depth - 1 - index])
  }

  /// Interns the current backtrace.
  func intern(into table: inout BacktraceTable) -> BacktraceID {
    let depth = cursor.depth
    if depth > frames {
      // Only the innermost frames belong to it; the tree begins with a mark for the rest.
      let mark = BacktraceEntry.truncation.word
      var node = table.child(of: 0, word: mark)
      for index in (depth - frames)..<depth where stack[index] != mark {
        node = table.child(of: node, word: stack[index])
      }
      return BacktraceID(rawValue: node)
    }
    for index in cursor.interned..<max(cursor.interned, depth) {
      nodes[index] = table.child(of: index == 0 ? 0 : nodes[index - 1], word: stack[index])
    }
    cursor.interned = depth
    return depth == 0 ? .empty : BacktraceID(rawValue: nodes[depth - 1])
  }
}
