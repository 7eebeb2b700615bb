import CLifelineHarness

/// An unowned(unsafe) reference as it lies in memory: its declaration, its object's address, and what is needed to know
/// whether the object is gone.
@frozen @usableFromInline
struct UnsafeInMemory: Sendable {
  @usableFromInline let declaration: Declaration
  @usableFromInline var object: UInt
  /// What the recorder wants to know to say whether the object is gone; 0 when nobody knows.
  @usableFromInline var watch: UInt64 = 0
  @usableFromInline let policy: LostMessagePolicy

  @usableFromInline @_transparent
  init(_ object: UInt, _ declaration: Declaration, _ policy: LostMessagePolicy) {
    self.object = object
    self.declaration = declaration
    self.policy = policy
  }

  var isLost: Bool {
    watch != 0 && Timeline.isRecording && lifeline_harness_recorder().pointee.is_gone(UnsafeRawPointer(bitPattern: object), watch)
  }

  /// Makes the reference lead to another object, notes that, and begins to watch for the object's end.
  @usableFromInline @inline(never) @_effects(releasenone)
  static func change(to new: UInt, at place: ReferencePlace) {
    UnsafeMutablePointer<Self>(bitPattern: place.address)?.pointee.change(to: new, at: place)
  }

  /// The same for a reference that is being made, and lies nowhere yet.
  @usableFromInline @inline(never) @_effects(releasenone)
  mutating func change(to new: UInt, at place: ReferencePlace = ReferencePlace()) {
    declaration.noteChange(LIFELINE_STRENGTH_unownedUnsafe, from: isLost ? 0 : object, to: new, at: place)
    object = new
    // An outer nil is 1.
    watch = lifeline_harness_recorder().pointee.watch(UnsafeRawPointer(bitPattern: new & ~1))
  }

  /// Notes a use; false when it has to be left out.
  @usableFromInline @inline(never) @_effects(releasenone)
  func arrives(_ what: lifeline_reference_operation, at place: ReferencePlace = ReferencePlace()) -> Bool {
    guard isLost else {
      declaration.note(what, LIFELINE_STRENGTH_unownedUnsafe, object, at: place)
      return true
    }
    declaration.noteLost(LIFELINE_STRENGTH_unownedUnsafe, object, at: place)
    switch policy {
    case .proceed: return true
    case .ignore: return false
    case .stop:
      let name = place.propertyName.map { String(cString: $0) } ?? "in \(String(cString: declaration.function))"
      fatalError(
        "The unowned(unsafe) reference \(name) (\(String(cString: declaration.file)):\(declaration.line)) was used after its object was deallocated.")
    }
  }
}
