import CLifelineHarness

/// The memory layout of an unowned(unsafe) reference: its declaration, its object's address, and the key for asking
/// whether the object is gone.
@frozen @usableFromInline
struct UnsafeInMemory: Sendable {
  @usableFromInline let declaration: Declaration
  @usableFromInline var object: UInt
  /// The recorder's key for asking whether the object is gone; 0 if unknown.
  @usableFromInline var watch: UInt64 = 0
  @usableFromInline let policy: UseAfterFreePolicy

  @usableFromInline @_transparent
  init(_ object: UInt, _ declaration: Declaration, _ policy: UseAfterFreePolicy) {
    self.object = object
    self.declaration = declaration
    self.policy = policy
  }

  var isLost: Bool {
    watch != 0 && Timeline.isRecording
      && lifeline_harness_recorder().pointee.is_gone(UnsafeRawPointer(bitPattern: object), watch)
  }

  /// Changes the reference to another object, records that, and watches for the object's end.
  @usableFromInline @inline(never) @_effects(releasenone)
  static func change(to new: UInt, at place: ReferenceLocation) {
    guard let this = UnsafeMutablePointer<Self>(bitPattern: place.address) else { return }
    let old = this.pointee.isLost ? 0 : this.pointee.object
    this.pointee.object = new
    // An outer nil is 1.
    this.pointee.watch = lifeline_harness_recorder().pointee.watch(UnsafeRawPointer(bitPattern: new & ~1))
    place.noteChange(LIFELINE_STRENGTH_unownedUnsafe, from: old, to: new)
  }

  /// The same for a reference that is being created and has no location yet.
  @usableFromInline @inline(never) @_effects(releasenone)
  mutating func noteSet() {
    watch = lifeline_harness_recorder().pointee.watch(UnsafeRawPointer(bitPattern: object & ~1))
    declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_unownedUnsafe, object)
  }

  /// Records a use; false if it must be skipped.
  @usableFromInline @_transparent
  static func arrives(_ what: lifeline_reference_operation, at place: ReferenceLocation) -> Bool {
    // The recorder begins its backtrace at the function that records a use, which the program calls.
    guard isLost(at: place) else {
      ReferenceInMemory.noteUse(what, LIFELINE_STRENGTH_unownedUnsafe, at: place)
      return true
    }
    return UnsafePointer<Self>(bitPattern: place.address)!.pointee.arrivesLost(at: place)
  }

  @usableFromInline @inline(never)
  static func isLost(at place: ReferenceLocation) -> Bool {
    UnsafePointer<Self>(bitPattern: place.address)?.pointee.isLost ?? false
  }

  /// The same for a reference without a location.
  @usableFromInline @inline(never)
  func arrives(_ what: lifeline_reference_operation) -> Bool {
    if isLost { return arrivesLost() }
    declaration.note(what, LIFELINE_STRENGTH_unownedUnsafe, object)
    return true
  }

  /// Records a use after free; false if the use must be skipped.
  @usableFromInline @inline(never)
  func arrivesLost(at place: ReferenceLocation = ReferenceLocation()) -> Bool {
    declaration.noteLost(LIFELINE_STRENGTH_unownedUnsafe, object, at: place)
    switch policy {
    case .continue: return true
    case .ignore: return false
    case .stop:
      let name = place.propertyName.map { String(cString: $0) } ?? "in \(String(cString: declaration.function))"
      fatalError(
        "The unowned(unsafe) reference \(name) (\(String(cString: declaration.file)):\(declaration.line)) was used "
          + "after its object was deallocated.\(Self.lifetime)"
      )
    }
  }

  /// How to read the history: the trace is kept when the program stops.
  private static var lifetime: String {
    Timeline.tracePath.map { " 'lifeline report \($0)' shows who freed it." } ?? ""
  }
}
