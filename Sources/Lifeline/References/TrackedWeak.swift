import CLifelineHarness

/// A weak reference that records its uses; nil once its object is gone, like the language's own.
///
///     @TrackedWeak var delegate: (any ListDelegate)?
///
/// The place of the declaration comes from `#fileID`, `#line` and the enclosing type or function. A property of a class
/// also records its owner and its name.
@propertyWrapper
public struct TrackedWeak<Value> {
  @usableFromInline let declaration: Declaration
  @usableFromInline weak var object: AnyObject?
  @usableFromInline var shape: ReferenceShape

  /// Creates the reference of a property declared with the wrapper.
  @inlinable
  public init(
    wrappedValue: Value? = nil, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    ReferenceShape.check(Value.self)
    declaration = Declaration(file, line, function)
    shape = Self.shape(wrappedValue)
    object = Self.object(wrappedValue)
    if Timeline.isRecording {
      declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_weak, Self.address(wrappedValue))
    }
    _fixLifetime(wrappedValue)
  }

  /// Creates a weak reference as a separate value, for collections and local use.
  @inlinable
  public init(_ value: Value?, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    self.init(wrappedValue: value, file: file, line: line, function: function)
  }

  /// The object. Reading it records a load, setting it records a change.
  @inlinable
  public var wrappedValue: Value? {
    get {
      // Everything is read before any call, so that the compiler need not copy the whole wrapper.
      let (object, shape, declaration) = (object, shape, declaration)
      if Timeline.isRecording {
        declaration.note(LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_weak, ReferenceShape.address(object))
      }
      return Self.join(object, shape)
    }
    set {
      if !ReferenceShape.isOneWord(Value.self) { shape = Self.shape(newValue) }
      if Timeline.isRecording {
        WeakInMemory.change(to: Self.address(newValue), at: ReferenceLocation(&self))
      } else {
        object = Self.object(newValue)
      }
      _fixLifetime(newValue)
    }
  }

  /// The reference as a property of an object. No access to it is open during recording, so the compiler sees that
  /// accesses cannot overlap and omits the exclusivity check.
  @inlinable
  public static subscript<Owner: AnyObject>(
    _enclosingInstance owner: Owner, wrapped wrapped: ReferenceWritableKeyPath<Owner, Value?>,
    storage storage: ReferenceWritableKeyPath<Owner, Self>
  ) -> Value? {
    @_transparent get {
      let place = pointer(to: &owner[keyPath: storage])
      let object = place.pointee.object
      if Timeline.isRecording {
        WeakInMemory.noteUse(
          LIFELINE_REFERENCE_load, ReferenceShape.address(object), at: ReferenceLocation(place, in: owner))
      }
      return join(object, place.pointee.shape)
    }
    @_transparent set {
      let place = pointer(to: &owner[keyPath: storage])
      if !ReferenceShape.isOneWord(Value.self) { place.pointee.shape = shape(newValue) }
      if Timeline.isRecording {
        WeakInMemory.change(to: address(newValue), at: ReferenceLocation(place, in: owner))
      } else {
        assignWeak(ReferenceShape.objectPlace(place), address(newValue))
      }
      _fixLifetime(newValue)
    }
  }

  /// Records a message and sends it, if the object is still there: `$delegate.send { $0.listChanged() }`.
  @_transparent
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result? {
    guard let value = Self.join(object, shape) else { return nil }
    if Timeline.isRecording {
      declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_weak, ReferenceShape.address(value))
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

  // The wrapped value is an optional of Value, which may itself be an optional: the inner one's nil counts as nil too.

  @usableFromInline @_transparent
  static func address(_ value: Value?) -> UInt { ReferenceShape.address(value) & ~1 }

  @usableFromInline @_transparent
  static func object(_ value: Value?) -> AnyObject? { ReferenceShape.object(value) }

  @usableFromInline @_transparent
  static func shape(_ value: Value?) -> ReferenceShape { ReferenceShape(of: value) }

  @usableFromInline @_transparent
  static func join(_ object: AnyObject?, _ shape: ReferenceShape) -> Value? {
    if ReferenceShape.optionals(Value.self) > 0, object == nil { return nil }
    return shape.join(object, as: Value?.self)
  }
}

// The language protects a weak reference's own state; the object's state is the Value's responsibility.
extension TrackedWeak: @unchecked Sendable where Value: Sendable {}
