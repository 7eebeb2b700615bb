extension TraceTail {
  /// The chunk at a position in a ring.
  struct Resident: Equatable {
    let magic: UInt32
    let stream: UInt32
    let sequence: UInt64
  }
}
