extension PairMatcher {
  /// A reference that an event took or released.
  struct Reference {
    let row: Int
    let place: CallIdentity
    let thread: UInt32
    let task: UInt64
    let isAllocation: Bool
    /// Taken through a weak reference.
    let isWeakLoad: Bool
    /// The property that has the reference, or had it before this release.
    var property: PropertyIdentity?
    /// Whether another reference was in the same property of perhaps another object when one of them was released.
    var isOneOfSeveral = false

    init(
      row: Int, place: CallIdentity, thread: UInt32, task: UInt64, isAllocation: Bool = false, isWeakLoad: Bool = false
    ) {
      self.row = row
      self.place = place
      self.thread = thread
      self.task = task
      self.isAllocation = isAllocation
      self.isWeakLoad = isWeakLoad
      property = place.property
    }

    /// Taken by code that may release it itself, unlike a block's capture or what a framework keeps.
    var isPlain: Bool { place.role == .plain || place.role == .captureEnd }

    /// The calls around it that may have received the reference; an initializer or setter keeps what it retains.
    var receivers: ArraySlice<UInt64> {
      place.enclosing.prefix(place.ownsArguments && !isAllocation ? 0 : place.reach)
    }
  }
}
