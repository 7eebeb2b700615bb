/// A call that stored the object in a property and released another reference to it.
///
/// A setter retains its argument for the property, and then releases what its caller passed. The two events pair, since
/// references are equal, so what the property has is the reference of the caller.
struct PropertyStore {
  let property: PropertyIdentity
  let row: Int
  private let thread: UInt32
  /// The call that had the reference, or got it from another one.
  private let owner: UInt64

  /// Nil if the call that made the pair put its reference into no known property.
  init?(_ retain: PairMatcher.Reference, _ release: PairMatcher.Reference) {
    let place = retain.place
    guard let property = retain.property,
      let owner = place.ownsArguments ? place.enclosing.dropFirst(place.argumentDepth - 1).first : place.key
    else { return nil }
    self.property = property
    self.owner = owner
    row = release.row
    thread = retain.thread
  }

  /// The newest of the open references that its owner took, or a call that returned it to the owner.
  func reference(in retains: ArraySlice<PairMatcher.Reference?>) -> Int? {
    retains.lastIndex { retain in
      guard let retain, retain.property == nil, retain.thread == thread, retain.isPlain else { return false }
      return retain.place.key == owner || retain.receivers.contains(owner)
    }
  }
}
