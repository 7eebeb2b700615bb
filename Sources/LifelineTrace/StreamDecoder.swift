import CLifelineFormat

/// Decodes the events of one stream, chunk after chunk (lifeline_event.h has the encoding).
///
/// Every number that comes from the file is checked before it is used; the first one that is wrong ends the
/// chunk, and `damage` says how. What was decoded before it stands.
final class StreamDecoder {
  struct Damage { let offset: Int, sentence: String }

  private struct Slot {
    var address: UInt64 = 0
    var count: UInt64 = 0
  }

  /// Deeper stacks are no stacks: the recorder keeps at most 4096 frames.
  private static let stackLimit = 8192

  private let buffer: UnsafeMutableRawBufferPointer
  private let slots: UnsafeMutablePointer<Slot>
  private let stack: UnsafeMutablePointer<UInt64>
  private let nodes: UnsafeMutablePointer<UInt32>
  private let kindFacts: UnsafeMutablePointer<KindFacts>
  private var changes = ChangeTable()
  private var sites: [UInt64] = []
  private var lastSite: UInt64 = 0
  private(set) var depth = 0
  private var interned = 0
  private var position = 0
  private var end = 0
  private(set) var clock: UInt64 = 0
  private var lastObject: UInt64 = 0
  private var lastKind: UInt8 = 0
  private(set) var thread: UInt32 = 0
  /// Number of the asynchronous task that ran at the last event; 0 when none did.
  private var task: UInt64 = 0
  private(set) var damage: Damage?
  let frames: Int

  init(chunkSize: Int, frames: Int) {
    buffer = .allocate(byteCount: chunkSize, alignment: 64)
    slots = .allocate(capacity: Int(LIFELINE_OBJECT_CACHE_SIZE))
    slots.initialize(repeating: Slot(), count: Int(LIFELINE_OBJECT_CACHE_SIZE))
    // Written before they are read, entry by entry; left alone they cost no memory.
    stack = .allocate(capacity: Self.stackLimit)
    nodes = .allocate(capacity: Self.stackLimit)
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

  /// Where the bytes of the next chunk go.
  var chunk: UnsafeMutableRawBufferPointer { buffer }

  /// Begins the chunk that was read into `chunk`: its contents end before `length`.
  func begin(length: Int, clock: UInt64, thread: UInt32) {
    position = Int(LIFELINE_CHUNK_HEADER_SIZE)
    end = min(max(length, position), buffer.count)
    self.clock = clock
    self.thread = thread
    slots.update(repeating: Slot(), count: Int(LIFELINE_OBJECT_CACHE_SIZE))
    sites.removeAll(keepingCapacity: true)
    changes.forget()
    lastSite = 0
    lastObject = 0
    depth = 0
    interned = 0
    task = 0
    damage = nil
  }

  /// Whether the last event's backtrace begins, from the outermost site, with these words and goes on.
  func isInside(_ words: [UInt64]) -> Bool {
    guard depth > words.count else { return false }
    var index = words.count
    while index > 0 {
      index -= 1
      if stack[index] != words[index] { return false }
    }
    return true
  }

  /// Bytes decoded so far, the chunk header included.
  var decodedLength: Int { position }

  /// At least one event was decoded since the chunk began.
  var hasEvents: Bool { position > Int(LIFELINE_CHUNK_HEADER_SIZE) }

  private func stop(_ sentence: String) -> Bool {
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
    p += 1
    if first < 0x80 { return UInt64(first) }
    return longVarint(first, &p)
  }

  private func longVarint(_ first: UInt8, _ p: inout Int) -> UInt64? {
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while p < end, shift < 70 {
      let next = buffer[p]
      p += 1
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  @inline(__always)
  private func unzigzag(_ value: UInt64) -> UInt64 { (value >> 1) ^ (0 &- (value & 1)) }

  /// Decodes the next event; false at the end of the chunk.
  func next(_ event: inout Event) -> Bool {
    guard position < end else { return false }
    let tag = buffer[position]
    if tag == 0 { return false }
    var p = position + 1
    var number = tag & UInt8(LIFELINE_EVENT_KIND_MASK)
    if number == UInt8(LIFELINE_EVENT_EXTENDED) {
      if isTask(position) { return changeTask() && next(&event) }
      guard let extended = byte(&p) else { return stop("an event is cut off") }
      number = extended
    }
    guard let kind = EventKind(rawValue: number) else { return stop("there is no event kind \(number)") }
    let facts = kindFacts[Int(number)]
    if tag & UInt8(LIFELINE_EVENT_TIME) != 0 {
      guard let delta = varint(&p) else { return stop("a time is cut off") }
      clock &+= delta
    }
    event.kind = kind
    event.count = -1
    event.argument0 = 0
    event.argument1 = 0
    event.argument2 = 0
    var slot = 0
    if facts.hasObject {
      if tag & UInt8(LIFELINE_EVENT_SAME_OBJECT) == 0 {
        guard let first = byte(&p) else { return stop("an object is cut off") }
        if first < 0x80 {
          lastObject = slots[Int(first)].address
        } else {
          var value = UInt64(first & 0x3F)
          if first & 0x40 != 0 {
            guard let rest = varint(&p) else { return stop("an object is cut off") }
            value |= rest << 6
          }
          lastObject &+= unzigzag(value) &* 8
        }
      }
      guard lastObject != 0 else { return stop("an event names no object") }
      slot = Int(lifeline_object_slot(lastObject))
      event.object = lastObject
    } else {
      event.object = 0
    }
    var explicit: UInt64?
    if facts.hasCount, tag & UInt8(LIFELINE_EVENT_COUNT) != 0 {
      guard let count = varint(&p) else { return stop("a count is cut off") }
      explicit = count
    }
    if facts.arguments > 0 {
      guard let first = varint(&p) else { return stop("an argument is cut off") }
      event.argument0 = first
      if facts.arguments > 1 {
        guard let second = varint(&p) else { return stop("an argument is cut off") }
        event.argument1 = second
      }
      if facts.arguments > 2 {
        guard let third = varint(&p) else { return stop("an argument is cut off") }
        event.argument2 = third
      }
    }
    if facts.hasObject { remember(&event, slot, explicit, facts.hasCount) }
    if kind == .thread {
      depth = 0
      task = 0
      interned = 0
      thread = UInt32(truncatingIfNeeded: event.argument0)
    }
    if let sentence = changeBacktrace(&p, explicit: tag & UInt8(LIFELINE_EVENT_BACKTRACE) != 0) { return stop(sentence) }
    lastKind = number
    event.clock = clock
    event.thread = thread
    event.task = task
    position = p
    return true
  }

  private func isTask(_ p: Int) -> Bool {
    p + 1 < end && buffer[p] == UInt8(LIFELINE_EVENT_EXTENDED) && buffer[p + 1] == EventKind.task.rawValue
  }

  /// Passes over events that tell which task runs: nobody counts them, so the numbers of the others do not depend on executors.
  private func changeTask() -> Bool {
    while isTask(position) {
      var p = position + 2
      guard let number = varint(&p) else { return stop("a task's number is cut off") }
      task = number
      position = p
    }
    return true
  }

  @inline(__always)
  private func remember(_ event: inout Event, _ slot: Int, _ explicit: UInt64?, _ hasCount: Bool) {
    var count = slots[slot].address == event.object ? slots[slot].count : 0
    if hasCount {
      if let explicit {
        event.count = explicit == 0 ? -1 : Int64(truncatingIfNeeded: explicit &- 1)
        count = explicit == 0 ? 0 : explicit &- 1
      } else {
        let change: Int64 =
          switch event.kind {
          case .retain: 1
          case .release: -1
          case .retainN: Int64(truncatingIfNeeded: event.argument0)
          case .releaseN: 0 &- Int64(truncatingIfNeeded: event.argument0)
          default: 0
          }
        count = count &+ UInt64(bitPattern: change)
        event.count = Int64(bitPattern: count)
      }
    }
    slots[slot] = Slot(address: event.object, count: count)
  }

  /// Brings the stack up to date; returns what is wrong, if anything is.
  @inline(__always)
  private func changeBacktrace(_ p: inout Int, explicit: Bool) -> String? {
    guard depth > 0 else { return explicit ? readChange(&p, learning: nil) : nil }
    let entry = changes.entry(innermost: stack[depth - 1], next: depth > 1 ? stack[depth - 2] : 0, kind: lastKind)
    if explicit { return readChange(&p, learning: entry) }
    guard let change = changes.prediction(entry) else { return nil }
    let pops = Int(change.pointee.pops), pushes = Int(change.pointee.pushes)
    guard pops <= depth, pushes <= Self.stackLimit - depth else { return "a predicted backtrace pops \(pops) frames of \(depth)" }
    depth -= pops
    interned = min(interned, depth)
    if pushes > 0 { stack[depth] = change.pointee.words.0 }
    if pushes > 1 { stack[depth + 1] = change.pointee.words.1 }
    if pushes > 2 { stack[depth + 2] = change.pointee.words.2 }
    depth += pushes
    return nil
  }

  private func readChange(_ p: inout Int, learning entry: UnsafeMutablePointer<ChangeTable.Entry>?) -> String? {
    guard let head = byte(&p) else { return "a backtrace is cut off" }
    var pops = UInt64(head >> 4), pushes = UInt64(head & 15)
    if pops == 15 {
      guard let value = varint(&p) else { return "a backtrace is cut off" }
      pops = value
    }
    if pushes == 15 {
      guard let value = varint(&p) else { return "a backtrace is cut off" }
      pushes = value
    }
    guard pops <= UInt64(depth) else { return "a backtrace pops \(pops) frames of \(depth)" }
    depth -= Int(pops)
    interned = min(interned, depth)
    guard pushes <= UInt64(Self.stackLimit - depth) else { return "a backtrace is \(UInt64(depth) &+ pushes) frames deep" }
    for _ in 0..<pushes {
      guard let reference = varint(&p) else { return "a backtrace is cut off" }
      if reference == 0 {
        guard let delta = varint(&p) else { return "a call site is cut off" }
        lastSite &+= unzigzag(delta)
        sites.append(lastSite)
        stack[depth] = lastSite
      } else {
        guard reference <= UInt64(sites.count) else { return "call site \(reference) of \(sites.count) is named" }
        stack[depth] = sites[Int(reference) - 1]
      }
      depth += 1
    }
    if let entry { changes.learn(entry, pops: Int(pops), pushes: Int(pushes), end: stack + depth) }
    return nil
  }

  /// Site `index` of the backtrace, 0 the innermost; nil beyond its end.
  @inline(__always)
  func site(_ index: Int) -> Site? {
    guard index < depth, index < frames else { return nil }
    return Site(word: stack[depth - 1 - index])
  }

  /// Interns the current backtrace.
  func intern(into table: inout BacktraceTable) -> BacktraceID {
    if depth > frames {
      // Only the innermost frames belong to it; the tree begins with a mark for the rest.
      var node = table.child(of: 0, word: 4)
      for index in (depth - frames)..<depth where stack[index] != 4 { node = table.child(of: node, word: stack[index]) }
      return BacktraceID(rawValue: node)
    }
    while interned < depth {
      nodes[interned] = table.child(of: interned == 0 ? 0 : nodes[interned - 1], word: stack[interned])
      interned += 1
    }
    return depth == 0 ? .empty : BacktraceID(rawValue: nodes[depth - 1])
  }

  struct KindFacts {
    var arguments = 0
    var hasObject = false
    var hasCount = false
  }

  static let facts: [KindFacts] = (0..<256).map { number in
    let info = lifeline_kind(UInt32(number))
    return KindFacts(arguments: Int(info.arguments), hasObject: info.has_object != 0, hasCount: info.has_count != 0)
  }
}
