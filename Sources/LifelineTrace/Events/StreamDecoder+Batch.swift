import CLifelineFormat

extension StreamDecoder {
  /// Why a batch ended.
  enum BatchEnd { case full, chunkEnd, watched }

  /// Decodes events of stream `stream` until the batch is full or the next one, which follows those already counted,
  /// has an object of `watched`. `sequence` is that of the first.
  func fill(
    _ batch: inout EventBatch, stream: Int, sequence: UInt64, watching watched: AddressFilter,
    keeping keeper: BacktraceKeeper
  ) -> BatchEnd {
    var cursor = cursor
    var count = batch.count
    defer {
      self.cursor = cursor
      batch.count = count
    }
    var sequence = sequence
    let (events, kept) = (batch.events, batch.backtraces)
    while count < EventBatch.capacity {
      let event = events + count
      if !decodeCount(&cursor, event) {
        guard decode(&cursor, event) else { return .chunkEnd }
      }
      if watched.contains(event.pointee.object) { return .watched }
      event.pointee.stream = stream
      event.pointee.sequence = sequence
      sequence &+= 1
      if keeper.keeps(event.pointee) {
        self.cursor = cursor
        kept[count] = intern(into: &keeper.table)
        cursor.interned = self.cursor.interned
      } else {
        kept[count] = .empty
      }
      count &+= 1
    }
    return .full
  }

  /// Decodes the next event if it is of the most common kind, nine in ten: a retain or release with predicted count and
  /// backtrace. Anything else is left alone, returning false. Everything that `decode` would check is checked, or
  /// follows.
  @inline(__always)
  func decodeCount(_ cursor: inout Cursor, _ event: UnsafeMutablePointer<Event>) -> Bool {
    var p = cursor.position
    // Tag, time of two bytes, object of two bytes: these need no further check.
    guard end &- p >= 8 else { return false }
    let tag = buffer[p]
    let kind = tag & ~UInt8(LIFELINE_EVENT_TIME | LIFELINE_EVENT_SAME_OBJECT)
    guard kind == UInt8(LIFELINE_EVENT_retain.rawValue) || kind == UInt8(LIFELINE_EVENT_release.rawValue) else {
      return false
    }
    p &+= 1
    var clock = cursor.clock
    if tag & UInt8(LIFELINE_EVENT_TIME) != 0 {
      var delta = UInt64(buffer[p])
      p &+= 1
      if delta >= 0x80 {
        let next = UInt64(buffer[p])
        guard next < 0x80 else { return false }
        p &+= 1
        delta = delta & 0x7F | next << 7
      }
      clock &+= delta
    }
    var object = cursor.lastObject
    if tag & UInt8(LIFELINE_EVENT_SAME_OBJECT) == 0 {
      let first = buffer[p]
      p &+= 1
      if first < 0x80 {
        object = slots[Int(first)].address
      } else {
        var value = UInt64(first & 0x3F)
        if first & 0x40 != 0 {
          let (rest, next) = longVarint(at: p)
          guard next != 0 else { return false }
          value |= rest << 6
          p = next
        }
        object &+= unzigzag(value) &* 8
      }
    }
    guard object != 0 else { return false }
    let depth = cursor.depth
    if depth > 0 {
      let top = stack + depth
      let next = depth > 1 ? top[-2] : 0
      if let change = changes.prediction(changes.entry(innermost: top[-1], next: next, kind: cursor.lastKind)) {
        let pops = Int(change.pointee.pops), pushes = Int(change.pointee.pushes)
        let base = depth &- pops
        guard base >= 0, base &+ pushes <= Self.stackLimit else { return false }
        change.pointee.put(at: stack + base)
        cursor.interned = min(cursor.interned, base)
        cursor.depth = base &+ pushes
      }
    }
    let slot = slots + Int(lifeline_object_slot(object))
    let isRetain = kind == UInt8(LIFELINE_EVENT_retain.rawValue)
    let count = (slot.pointee.address == object ? slot.pointee.count : 0) &+ (isRetain ? 1 : .max)
    slot.pointee = Slot(address: object, count: count)
    cursor.position = p
    cursor.clock = clock
    cursor.lastObject = object
    cursor.lastKind = kind
    event.pointee.kind = isRetain ? .retain : .release
    event.pointee.object = object
    event.pointee.count = Int64(bitPattern: count)
    event.pointee.clock = clock
    event.pointee.thread = cursor.thread
    event.pointee.task = cursor.task
    event.pointee.queue = cursor.queue
    event.pointee.argument0 = 0
    event.pointee.argument1 = 0
    event.pointee.argument2 = 0
    return true
  }
}
