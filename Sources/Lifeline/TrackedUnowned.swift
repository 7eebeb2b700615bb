import CLifelineHarness

/// An unowned reference that records what is done with it; reading it after its object's deinit stops the program,
/// as the language's own does.
///
///     @TrackedUnowned var parent: Parent
///
/// Where it is declared is taken from the source: `#fileID`, `#line`, and the type or function around it.
@propertyWrapper
public struct TrackedUnowned<Value> {
  // An optional wrapper needs bit patterns that a wrapper never has. The compiler takes those of the first field that has the most,
  // and compiled code and the runtime's metadata do not agree about those of an unowned field (Swift 6.3.1): a loop over an array of such
  // structs never ended. About a metatype they agree.
  @usableFromInline let spare: AnyClass
  @usableFromInline unowned var object: AnyObject?
  @usableFromInline var shape: ReferenceShape
  @usableFromInline let declaration: Declaration

  @inlinable
  public init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    ReferenceShape.check(Value.self)
    spare = SparePatterns.self
    declaration = Declaration(file, line, function)
    (object, shape) = ReferenceShape.split(wrappedValue)
    if Timeline.isRecording { noteSet(ReferenceShape.address(wrappedValue)) }
  }

  @inlinable
  public init(_ value: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    self.init(wrappedValue: value, file: file, line: line, function: function)
  }

  @inlinable
  public var wrappedValue: Value {
    get {
      // Everything is read before anything is called, so that the compiler need not copy the whole wrapper.
      let (object, shape, declaration) = (object, shape, declaration)
      if Timeline.isRecording { declaration.note(LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_unowned, ReferenceShape.address(object)) }
      return shape.join(object, as: Value.self)
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

  /// Records a message and sends it: `$parent.send { $0.childChanged() }`.
  @inlinable
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result {
    let object = object
    if Timeline.isRecording { declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_unowned, ReferenceShape.address(object)) }
    return try message(shape.join(object, as: Value.self))
  }

  @usableFromInline @inline(never)
  mutating func replace(_ newValue: Value) {
    // The old object may be dead, and reading the reference would stop the program: its bits are enough.
    let old = withUnsafeBytes(of: &self) { $0.load(fromByteOffset: MemoryLayout<AnyClass>.size, as: UInt.self) }
    let new = ReferenceShape.address(newValue)
    if new == 0, old != 0 { note(LIFELINE_REFERENCE_clear, old) }
    (object, shape) = ReferenceShape.split(newValue)
    if new != 0 { noteSet(new) }
  }

  @usableFromInline @inline(never)
  mutating func noteSet(_ address: UInt) { note(LIFELINE_REFERENCE_set, address) }

  private mutating func note(_ what: lifeline_reference_operation, _ address: UInt) {
    let storage = withUnsafeMutablePointer(to: &self) { UnsafeRawPointer($0) }
    declaration.note(what, LIFELINE_STRENGTH_unowned, address, at: storage)
  }
}

extension TrackedUnowned: @unchecked Sendable where Value: Sendable {}

/// Its metatype stands in a wrapper for the sake of the bit patterns that no metatype has.
@usableFromInline final class SparePatterns {}
