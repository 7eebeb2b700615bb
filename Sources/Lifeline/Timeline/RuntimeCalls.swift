import CLifelineHarness

// The optimizer assumes that assigning a weak or unowned reference may release any object, so a setter's new value
// would be retained before and released after it, which costs as much as the assignment. These functions do what the
// compiler's code does; declaring that they release no object is true, and lets the optimizer omit both.

@usableFromInline @inline(never) @_effects(releasenone)
func assignWeak(_ reference: UnsafeMutableRawPointer, _ object: UInt) {
  _ = swift_weakAssign(reference, UnsafeMutableRawPointer(bitPattern: object))
}

/// The reference is the object's address (docs/ABI/TypeLayout.rst, "Native Unowned References").
@usableFromInline @inline(never) @_effects(releasenone)
func assignUnowned(_ reference: UnsafeMutablePointer<UInt>, _ object: UInt) {
  let old = UnsafeMutableRawPointer(bitPattern: reference.pointee)
  reference.pointee = object
  _ = swift_unownedRetain(UnsafeMutableRawPointer(bitPattern: object))
  swift_unownedRelease(old)
}
