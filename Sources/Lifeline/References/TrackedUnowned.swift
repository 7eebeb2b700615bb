import CLifelineHarness

/// An unowned reference that records its uses; reading it after its object's deinit stops the program, as the
/// language's own does.
///
///     @TrackedUnowned var parent: Parent
///
/// The place of the declaration comes from `#fileID`, `#line` and the enclosing type or function. A property of a class
/// also records its owner and its name.
@propertyWrapper
public struct TrackedUnowned<Value> {
  @usableFromInline let declaration: Declaration
  @usableFromInline unowned var object: AnyObject?
  // An optional wrapper needs bit patterns that a wrapper never has. The compiler takes those of the first field with
  // the most, and for an unowned field compiled code and the runtime's metadata disagree about them (Swift 6.3.1): a
  // loop over an array of such structs never ended. For a metatype they agree.
  @usableFromInline let spare: AnyClass
  @usableFromInline var shape: ReferenceShape

  /// Creates the reference of a property declared with the wrapper.
  @inlinable
  public init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function)
  {
    ReferenceShape.check(Value.self)
    spare = SparePatterns.self
    declaration = Declaration(file, line, function)
    shape = ReferenceShape(of: wrappedValue)
    object = ReferenceShape.object(wrappedValue)
    if Timeline.isRecording {
      declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_unowned, ReferenceShape.address(wrappedValue))
    }
    _fixLifetime(wrappedValue)
  }

  /// Creates an unowned reference as a separate value, for collections and local use.
  @inlinable
  public init(_ value: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    self.init(wrappedValue: value, file: file, line: line, function: function)
  }

  /// The object. Reading it records a load, setting it records a change.
  @inlinable
  public var wrappedValue: Value {
    get {
      // Everything is read before any call, so that the compiler need not copy the whole wrapper.
      let (object, shape, declaration) = (object, shape, declaration)
      if Timeline.isRecording {
        declaration.note(LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_unowned, ReferenceShape.address(object))
      }
      return shape.join(object, as: Value.self)
    }
    set {
      if Timeline.isRecording {
        ReferenceInMemory.noteChange(
          LIFELINE_STRENGTH_unowned, to: ReferenceShape.address(newValue), at: ReferenceLocation(&self))
      }
      if !ReferenceShape.isEmpty(Value.self) { shape = ReferenceShape(of: newValue) }
      object = ReferenceShape.object(newValue)
    }
  }

  /// The reference as a property of an object. No access to it is open during recording, so the compiler sees that
  /// accesses cannot overlap and omits the exclusivity check.
  @inlinable
  public static subscript<Owner: AnyObject>(
    _enclosingInstance owner: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value {
    @_transparent get {
      let place = pointer(to: &owner[keyPath: storage])
      if Timeline.isRecording {
        ReferenceInMemory.noteUse(
          LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_unowned, at: ReferenceLocation(place, in: owner))
      }
      return place.pointee.shape.join(place.pointee.object, as: Value.self)
    }
    @_transparent set {
      let place = pointer(to: &owner[keyPath: storage])
      if !ReferenceShape.isEmpty(Value.self) { place.pointee.shape = ReferenceShape(of: newValue) }
      if Timeline.isRecording {
        ReferenceInMemory.noteChange(
          LIFELINE_STRENGTH_unowned, to: ReferenceShape.address(newValue), at: ReferenceLocation(place, in: owner))
      }
      assignUnowned(
        ReferenceShape.objectPlace(place).assumingMemoryBound(to: UInt.self), ReferenceShape.address(newValue) & ~1)
      _fixLifetime(newValue)
    }
  }

  /// Records a message and sends it: `$parent.send { $0.childChanged() }`.
  @_transparent
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result {
    let (object, shape, declaration) = (object, shape, declaration)
    if Timeline.isRecording {
      declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_unowned, ReferenceShape.address(object))
    }
    return try message(shape.join(object, as: Value.self))
  }

  /// `$name`: the reference itself, for calls that are recorded as messages.
  @inlinable public var projectedValue: TrackedProjection<Self> { TrackedProjection(copy: self) }

  @inlinable
  public static subscript<Owner: AnyObject>(
    _enclosingInstance owner: Owner, projected projected: KeyPath<Owner, TrackedProjection<Self>>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> TrackedProjection<Self> {
    @_transparent get { TrackedProjection(pointer(to: &owner[keyPath: storage]), in: owner) }
  }
}

extension TrackedUnowned: @unchecked Sendable where Value: Sendable {}

/// Its metatype is wrapped for the bit patterns that no metatype has.
@usableFromInline final class SparePatterns {}
