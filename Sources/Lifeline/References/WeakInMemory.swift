import CLifelineHarness

/// The memory layout of a weak reference: its declaration, then the reference to its object.
@frozen @usableFromInline
struct WeakInMemory {
  @usableFromInline let declaration: Declaration
  @usableFromInline weak var object: AnyObject?

  @usableFromInline @inline(never) @_effects(releasenone)
  static func noteUse(_ what: lifeline_reference_operation, _ object: UInt, at place: ReferenceLocation) {
    place.note(what, LIFELINE_STRENGTH_weak, object)
  }

  @usableFromInline @inline(never) @_effects(releasenone)
  static func change(to new: UInt, at place: ReferenceLocation) {
    guard let this = UnsafeMutablePointer<Self>(bitPattern: place.address) else { return }
    // The previous object matters only for a clear, and reading it is a load.
    let old = new == 0 ? this.pointee.object : nil
    place.noteChange(LIFELINE_STRENGTH_weak, from: ReferenceShape.address(old), to: new)
    assignWeak(ReferenceShape.objectPlace(this), new)
  }
}
