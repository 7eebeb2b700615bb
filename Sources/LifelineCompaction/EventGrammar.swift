import CLifelineFormat

/// The order of an event's fields (lifeline_event.h), for moving them either way: one grammar, so that joining reverses
/// splitting.
///
/// The bytes need not be valid: any bytes can be walked.
struct EventGrammar {
  struct KindFacts {
    let arguments: Int
    let hasObject: Bool
    let hasCount: Bool
  }

  private let facts: [KindFacts] = (0..<256).map { number in
    let info = lifeline_kind(UInt32(number))
    return KindFacts(arguments: Int(info.arguments), hasObject: info.has_object != 0, hasCount: info.has_count != 0)
  }

  /// Moves events until a byte cannot be moved or `isAtEnd` holds for the next tag, which is zero; returns the number
  /// of events begun.
  @inline(__always)
  func move<Mover: ColumnCodec>(_ mover: inout Mover, isAtEnd: (Mover) -> Bool) -> Int {
    facts.withUnsafeBufferPointer { facts in
      var events = 0
      while !isAtEnd(mover) {
        events += 1
        guard Self.moveEvent(&mover, facts) != nil else { break }
      }
      return events
    }
  }

  @inline(__always)
  private static func moveEvent<Mover: ColumnCodec>(_ mover: inout Mover, _ facts: UnsafeBufferPointer<KindFacts>)
    -> Void?
  {
    guard let tag = mover.transfer(.tags) else { return nil }
    var kind = tag & UInt8(LIFELINE_EVENT_KIND_MASK)
    if kind == UInt8(LIFELINE_EVENT_EXTENDED) {
      guard let extended = mover.transfer(.kinds) else { return nil }
      kind = extended
    }
    let fact = facts[Int(kind)]
    if tag & UInt8(LIFELINE_EVENT_TIME) != 0, mover.moveVarint(.times) == nil { return nil }
    if fact.hasObject, tag & UInt8(LIFELINE_EVENT_SAME_OBJECT) == 0 {
      guard let first = mover.transfer(.objects) else { return nil }
      if first >= 0xC0, mover.moveVarint(.distances) == nil { return nil }
    }
    if fact.hasCount, tag & UInt8(LIFELINE_EVENT_COUNT) != 0, mover.moveVarint(.counts) == nil { return nil }
    if fact.arguments > 0 {
      let isAllocation = kind == UInt8(LIFELINE_EVENT_allocate.rawValue)
      for index in 0..<fact.arguments {
        let column = isAllocation ? (index == 0 ? Column.classes : .sizes) : .arguments
        if mover.moveVarint(column) == nil { return nil }
      }
    }
    return tag & UInt8(LIFELINE_EVENT_BACKTRACE) != 0 ? moveChange(&mover) : ()
  }

  @inline(__always)
  private static func moveChange<Mover: ColumnCodec>(_ mover: inout Mover) -> Void? {
    guard let head = mover.transfer(.changes) else { return nil }
    var pushes = UInt64(head & 15)
    if head >> 4 == 15, mover.moveVarint(.changes) == nil { return nil }
    if pushes == 15 {
      guard let number = mover.moveVarint(.changes) else { return nil }
      pushes = number
    }
    while pushes > 0 {
      guard let reference = mover.moveVarint(.sites) else { return nil }
      if reference == 0, mover.moveVarint(.definitions) == nil { return nil }
      pushes -= 1
    }
    return ()
  }
}
