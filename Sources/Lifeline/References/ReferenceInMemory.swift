import CLifelineHarness

/// The memory layout of a reference: its declaration, then its object. A weak reference has a side table in place of
/// the object.
@frozen @usableFromInline
struct ReferenceInMemory {
  @usableFromInline let declaration: Declaration
  @usableFromInline let object: UInt

  @usableFromInline @inline(never) @_effects(releasenone)
  static func noteUse(_ what: lifeline_reference_operation, _ strength: lifeline_strength, at place: ReferenceLocation)
  {
    guard let this = UnsafePointer<Self>(bitPattern: place.address) else { return }
    place.note(what, strength, this.pointee.object)
  }

  @usableFromInline @inline(never) @_effects(releasenone)
  static func noteChange(_ strength: lifeline_strength, to new: UInt, at place: ReferenceLocation) {
    guard let this = UnsafePointer<Self>(bitPattern: place.address) else { return }
    place.noteChange(strength, from: this.pointee.object, to: new)
  }
}
