import LifelineLifetimes

/// An object to which only references that a proposal makes weak are left, in the end.
struct OnlyHeld {
  let object: ObjectID
  /// The changes that make them weak.
  let changes: Set<LeakCut.Change>
  let references: Int
  /// The allocation of the youngest holder, before which not all of them were there.
  let since: UInt64
}
