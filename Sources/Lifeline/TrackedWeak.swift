import CLifelineHarness

/// A weak reference that records what is done with it; nil once its object is gone, as the language's own.
///
///     @TrackedWeak var delegate: (any ListDelegate)?
///
/// Where it is declared is taken from the source: `#fileID`, `#line`, and the type or function around it.
@propertyWrapper
public struct TrackedWeak<Value> {
  @usableFromInline weak var object: AnyObject?
  @usableFromInline var shape: ReferenceShape
  @usableFromInline let declaration: Declaration

  @inlinable
  public init(wrappedValue: Value? = nil, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    ReferenceShape.check(Value.self)
    declaration = Declaration(file, line, function)
    (object, shape) = ReferenceShape.split(wrappedValue)
    if Timeline.isRecording, let wrappedValue { noteSet(ReferenceShape.address(wrappedValue)) }
  }

  @inlinable
  public init(_ value: Value?, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    self.init(wrappedValue: value, file: file, line: line, function: function)
  }

  @inlinable
  public var wrappedValue: Value? {
    get {
      // Everything is read before anything is called, so that the compiler need not copy the whole wrapper.
      let (object, shape, declaration) = (object, shape, declaration)
      if Timeline.isRecording, object != nil { declaration.note(LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_weak, ReferenceShape.address(object)) }
      return shape.join(object, as: Value?.self)
    }
    set {
      if Timeline.isRecording {
        replace(newValue)
      } else {
        (object, shape) = ReferenceShape.split(newValue)
      }
    }
  }

  @inlinable public var projectedValue: Self { self }

  /// Records a message and sends it, if the object is still there: `$delegate.send { $0.listChanged() }`.
  @inlinable
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result? {
    let object = object
    guard object != nil else { return nil }
    if Timeline.isRecording { declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_weak, ReferenceShape.address(object)) }
    return try message(shape.join(object, as: Value.self))
  }

  @usableFromInline @inline(never)
  mutating func replace(_ newValue: Value?) {
    if newValue == nil, let old = object { noteClear(ReferenceShape.address(old)) }
    (object, shape) = ReferenceShape.split(newValue)
    if newValue != nil { noteSet(ReferenceShape.address(newValue)) }
  }

  @usableFromInline @inline(never)
  mutating func noteSet(_ address: UInt) {
    let storage = withUnsafeMutablePointer(to: &self) { UnsafeRawPointer($0) }
    declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_weak, address, at: storage)
  }

  private mutating func noteClear(_ address: UInt) {
    let storage = withUnsafeMutablePointer(to: &self) { UnsafeRawPointer($0) }
    declaration.note(LIFELINE_REFERENCE_clear, LIFELINE_STRENGTH_weak, address, at: storage)
  }
}

// The language guards a weak reference's own state; that of the object is the Value's business.
extension TrackedWeak: @unchecked Sendable where Value: Sendable {}
