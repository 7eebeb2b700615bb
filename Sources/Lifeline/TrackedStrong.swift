import CLifelineHarness

/// A strong reference that records what is done with it.
///
///     @TrackedStrong var child: Child?
///
/// Where it is declared is taken from the source: `#fileID`, `#line`, and the type or function around it.
@propertyWrapper
public struct TrackedStrong<Value> {
  @usableFromInline var value: Value
  @usableFromInline let declaration: Declaration

  @inlinable
  public init(wrappedValue: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    ReferenceShape.check(Value.self)
    declaration = Declaration(file, line, function)
    value = wrappedValue
    if Timeline.isRecording { noteSet() }
  }

  @inlinable
  public init(_ value: Value, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function) {
    self.init(wrappedValue: value, file: file, line: line, function: function)
  }

  @inlinable
  public var wrappedValue: Value {
    get {
      // Everything is read before anything is called, so that the compiler need not copy the whole wrapper.
      let (value, declaration) = (value, declaration)
      if Timeline.isRecording { declaration.note(LIFELINE_REFERENCE_load, LIFELINE_STRENGTH_strong, ReferenceShape.address(value)) }
      return value
    }
    set {
      if Timeline.isRecording {
        replace(newValue)
      } else {
        value = newValue
      }
    }
  }

  @inlinable public var projectedValue: Self { self }

  /// Records a message and sends it: `$child.send { $0?.refresh() }`.
  @inlinable
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result {
    if Timeline.isRecording { declaration.note(LIFELINE_REFERENCE_message, LIFELINE_STRENGTH_strong, ReferenceShape.address(value)) }
    return try message(value)
  }

  @usableFromInline @inline(never)
  mutating func replace(_ newValue: Value) {
    // Noted while the old object is certainly there.
    let old = ReferenceShape.address(value)
    if ReferenceShape.address(newValue) == 0, old != 0 {
      declaration.note(LIFELINE_REFERENCE_clear, LIFELINE_STRENGTH_strong, old, at: storage)
    }
    value = newValue
    noteSet()
  }

  @usableFromInline @inline(never)
  mutating func noteSet() {
    let address = ReferenceShape.address(value)
    if address != 0 { declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_strong, address, at: storage) }
  }

  private var storage: UnsafeRawPointer {
    mutating get { withUnsafeMutablePointer(to: &self) { UnsafeRawPointer($0) } }
  }
}

extension TrackedStrong: Sendable where Value: Sendable {}
