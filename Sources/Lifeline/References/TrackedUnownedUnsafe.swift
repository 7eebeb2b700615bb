import CLifelineHarness

/// An unowned(unsafe) reference that records its uses and, while recording, knows when its object is gone.
///
///     @TrackedUnownedUnsafe(onLostMessage: .stop) var delegate: (any ListDelegate)? = nil
///
/// A later use is recorded as a use after free and then handled by the policy. This covers objects whose class is
/// recorded and that were stored while recording; otherwise it behaves like the language's own reference.
///
/// The place of the declaration comes from `#fileID`, `#line` and the enclosing type or function. A property of a class
/// also records its owner and its name.
@propertyWrapper
public struct TrackedUnownedUnsafe<Value>: LosableReference {
  @usableFromInline var memory: UnsafeInMemory
  @usableFromInline var shape: ReferenceShape

  /// Creates the reference of a property declared with the wrapper.
  @inlinable
  public init(
    wrappedValue: Value, onLostMessage policy: UseAfterFreePolicy = .continue, file: StaticString = #fileID,
    line: UInt = #line,
    function: StaticString = #function
  ) {
    ReferenceShape.check(Value.self)
    memory = UnsafeInMemory(ReferenceShape.address(wrappedValue), Declaration(file, line, function), policy)
    shape = ReferenceShape(of: wrappedValue)
    if Timeline.isRecording { memory.noteSet() }
    _fixLifetime(wrappedValue)
  }

  /// Creates an `unowned(unsafe)` reference as a separate value, for collections and local use.
  @inlinable
  public init(
    _ value: Value, onLostMessage policy: UseAfterFreePolicy = .continue, file: StaticString = #fileID,
    line: UInt = #line,
    function: StaticString = #function
  ) {
    self.init(wrappedValue: value, onLostMessage: policy, file: file, line: line, function: function)
  }

  /// What happens at a call to an object that is gone.
  public var policy: UseAfterFreePolicy { memory.policy }

  /// Whether the object is known to be gone; also false when that is unknown.
  public var isLost: Bool { memory.isLost }

  /// The object. Reading it records a load, setting it records a change. If the object is gone, reading it returns nil
  /// with the policy `.ignore`, provided that the type has a nil.
  @inlinable
  public var wrappedValue: Value {
    get {
      if Timeline.isRecording, !memory.arrives(LIFELINE_REFERENCE_load), let none = Self.none { return none }
      return shape.join(memory.object, as: Value.self)
    }
    set {
      if !ReferenceShape.isOneWord(Value.self) { shape = ReferenceShape(of: newValue) }
      if Timeline.isRecording {
        UnsafeInMemory.change(to: ReferenceShape.address(newValue), at: ReferenceLocation(&self))
      } else {
        memory.object = ReferenceShape.address(newValue)
      }
      _fixLifetime(newValue)
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
      if Timeline.isRecording,
        !UnsafeInMemory.arrives(LIFELINE_REFERENCE_load, at: ReferenceLocation(place, in: owner)), let none
      {
        return none
      }
      return place.pointee.shape.join(place.pointee.memory.object, as: Value.self)
    }
    @_transparent set {
      let place = pointer(to: &owner[keyPath: storage])
      if !ReferenceShape.isOneWord(Value.self) { place.pointee.shape = ReferenceShape(of: newValue) }
      if Timeline.isRecording {
        UnsafeInMemory.change(to: ReferenceShape.address(newValue), at: ReferenceLocation(place, in: owner))
      } else {
        place.pointee.memory.object = ReferenceShape.address(newValue)
      }
      _fixLifetime(newValue)
    }
  }

  /// Records a call and makes it; nil if the object is gone and the policy says not to.
  @_transparent
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result? {
    if Timeline.isRecording, !memory.arrives(LIFELINE_REFERENCE_message) { return nil }
    return try message(shape.join(memory.object, as: Value.self))
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

  @usableFromInline
  static var none: Value? {
    (Value.self as? any ExpressibleByNilLiteral.Type).map { $0.init(nilLiteral: ()) as! Value }
  }
}

extension TrackedUnownedUnsafe: @unchecked Sendable where Value: Sendable {}
