import CLifelineHarness

/// A strong reference that records its uses.
///
///     @TrackedStrong var child: Child?
///
/// The place of the declaration comes from `#fileID`, `#line` and the enclosing type or function. A property of a class
/// also records its owner and its name.
@propertyWrapper
public struct TrackedStrong<Value> {
  @usableFromInline let declaration: Declaration
  @usableFromInline var value: Value

  /// Creates the reference of a property declared with the wrapper.
  @inlinable
  public init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function)
  {
    ReferenceShape.check(Value.self)
    declaration = Declaration(file, line, function)
    value = wrappedValue
    if Timeline.isRecording {
      declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_strong, ReferenceShape.address(wrappedValue))
    }
  }

  /// Creates a strong reference as a separate value, for collections and local use.
  @inlinable
  public init(_ value: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    self.init(wrappedValue: value, file: file, line: line, function: function)
  }

  /// The object. Reading it records a load, setting it records a change.
  @inlinable
  public var wrappedValue: Value {
    get {
      // Everything is read before any call, so that the compiler need not copy the whole wrapper.
      let (value, declaration) = (value, declaration)
      if Timeline.isRecording {
        declaration.note(LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_strong, ReferenceShape.address(value))
      }
      return value
    }
    set {
      if Timeline.isRecording {
        ReferenceInMemory.noteChange(
          LIFELINE_STRENGTH_strong, to: ReferenceShape.address(newValue), at: ReferenceLocation(&self))
      }
      value = newValue
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
          LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_strong, at: ReferenceLocation(place, in: owner))
      }
      return place.pointee.value
    }
    @_transparent set {
      let place = pointer(to: &owner[keyPath: storage])
      if Timeline.isRecording {
        ReferenceInMemory.noteChange(
          LIFELINE_STRENGTH_strong, to: ReferenceShape.address(newValue), at: ReferenceLocation(place, in: owner))
      }
      place.pointee.value = newValue
    }
  }

  /// Records a message and sends it: `$child.send { $0?.refresh() }`.
  @_transparent
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result {
    let (value, declaration) = (value, declaration)
    if Timeline.isRecording {
      declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_strong, ReferenceShape.address(value))
    }
    return try message(value)
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

extension TrackedStrong: Sendable where Value: Sendable {}
