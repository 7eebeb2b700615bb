/// What an access to a freed object says besides its kind (lifeline_event.h).
extension Event {
  /// An object near the code that made the access, and where in it the freed one's address was, in bytes.
  public var sender: (object: UInt64, offset: Int)? {
    guard kind == .useAfterFree, argument0 >> 16 != 0 else { return nil }
    return (argument2 &- argument0 >> 16, Int(truncatingIfNeeded: argument0 >> 16))
  }

  /// Whether that object is one of several with it at the same place.
  public var senderIsOneOfSeveral: Bool { kind == .useAfterFree && argument0 & 1 << 8 != 0 }

  /// Whether what was read is known by what was done with a reference that the object had.
  public var isReadOfReference: Bool { argument0 >> 16 == 0 && argument2 != 0 }
}
