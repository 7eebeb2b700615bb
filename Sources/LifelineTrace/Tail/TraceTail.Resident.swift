extension TraceTail {
  /// Which chunk lies at a place of a ring.
  struct Resident: Equatable {
    let magic: UInt32
    let stream: UInt32
    let sequence: UInt64
  }
}
