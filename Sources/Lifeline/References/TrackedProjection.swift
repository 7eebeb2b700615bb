import CLifelineHarness

/// What `$delegate` gives: a tracked reference where it lies, to send messages through.
///
/// It keeps the owner of the reference alive, not the object that the reference leads to.
@frozen
public struct TrackedProjection<Reference> {
  @usableFromInline let place: UnsafeMutablePointer<Reference>
  /// The object that contains the location.
  @usableFromInline let keeper: AnyObject
  @usableFromInline let isProperty: Bool

  @usableFromInline @_transparent
  init(_ place: UnsafeMutablePointer<Reference>, in owner: AnyObject) {
    self.place = place
    keeper = owner
    isProperty = true
  }

  /// A copy of a reference that is not a property of an object.
  @usableFromInline
  init(copy: Reference) {
    let box = ReferenceBox(copy)
    place = pointer(to: &box.reference)
    keeper = box
    isProperty = false
  }

  @usableFromInline @_transparent
  var location: ReferenceLocation { isProperty ? ReferenceLocation(place, in: keeper) : ReferenceLocation(place) }
}

extension TrackedProjection {
  /// Records a message and sends it: `$child.send { $0?.refresh() }`.
  @_transparent
  public func send<Value, Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  where Reference == TrackedStrong<Value> {
    if Timeline.isRecording {
      ReferenceInMemory.noteUse(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_strong, at: location)
    }
    return try message(place.pointee.value)
  }

  /// Records a message and sends it, if the object is still there: `$delegate.send { $0.listChanged() }`.
  @_transparent
  public func send<Value, Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure)
    -> Result?
  where Reference == TrackedWeak<Value> {
    guard let value = TrackedWeak<Value>.join(place.pointee.object, place.pointee.shape) else { return nil }
    if Timeline.isRecording {
      WeakInMemory.noteUse(LIFELINE_REFERENCE_message, ReferenceShape.address(value), at: location)
    }
    return try message(value)
  }

  /// Records a message and sends it: `$parent.send { $0.childChanged() }`.
  @_transparent
  public func send<Value, Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  where Reference == TrackedUnowned<Value> {
    if Timeline.isRecording {
      ReferenceInMemory.noteUse(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_unowned, at: location)
    }
    return try message(place.pointee.shape.join(place.pointee.object, as: Value.self))
  }

  /// Records a call and makes it; nil if the object is gone and the policy skips the call.
  @_transparent
  public func send<Value, Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure)
    -> Result?
  where Reference == TrackedUnownedUnsafe<Value> {
    if Timeline.isRecording, !UnsafeInMemory.arrives(LIFELINE_REFERENCE_message, at: location) { return nil }
    return try message(place.pointee.shape.join(place.pointee.memory.object, as: Value.self))
  }
}

extension TrackedProjection where Reference: LosableReference {
  /// Whether the object is known to be gone; also false when that is unknown.
  public var isLost: Bool { place.pointee.isLost }
}

/// Holds the copied reference of a projection.
private final class ReferenceBox<Reference> {
  var reference: Reference
  init(_ reference: Reference) { self.reference = reference }
}
