import CLifelineHarness

/// An unowned(unsafe) reference that records what is done with it, and knows while recording when its object is gone.
///
///     @TrackedUnownedUnsafe(onLostMessage: .stop) var delegate: (any ListDelegate)? = nil
///
/// A use of it after that is recorded as a use after free, and then goes by the policy. It knows about objects whose class
/// is recorded and that were set while recording; otherwise it is what the language's own is.
///
/// Where it is declared is taken from the source: `#fileID`, `#line`, and the type or function around it.
@propertyWrapper
public struct TrackedUnownedUnsafe<Value> {
  /// See `TrackedUnowned.spare`: without it a loop over an array of these never ended.
  @usableFromInline let spare: AnyClass
  @usableFromInline unowned(unsafe) var object: AnyObject?
  @usableFromInline var shape: ReferenceShape
  @usableFromInline var watch: UInt64
  @usableFromInline let declaration: Declaration
  public let policy: LostMessagePolicy

  @inlinable
  public init(
    wrappedValue: Value, onLostMessage policy: LostMessagePolicy = .proceed, file: StaticString = #fileID, line: UInt = #line,
    function: StaticString = #function
  ) {
    ReferenceShape.check(Value.self)
    spare = SparePatterns.self
    declaration = Declaration(file, line, function)
    self.policy = policy
    watch = 0
    (object, shape) = ReferenceShape.split(wrappedValue)
    if Timeline.isRecording { noteSet(ReferenceShape.address(wrappedValue)) }
  }

  @inlinable
  public init(
    _ value: Value, onLostMessage policy: LostMessagePolicy = .proceed, file: StaticString = #fileID, line: UInt = #line,
    function: StaticString = #function
  ) {
    self.init(wrappedValue: value, onLostMessage: policy, file: file, line: line, function: function)
  }

  /// Reading it when the object is gone gives nil with the policy `.ignore`, if the type has a nil.
  @inlinable
  public var wrappedValue: Value {
    get {
      if Timeline.isRecording, !arrives(LIFELINE_REFERENCE_load), let none = Self.none { return none }
      return shape.join(object, as: Value.self)
    }
    set {
      (object, shape) = ReferenceShape.split(newValue)
      if Timeline.isRecording { noteSet(ReferenceShape.address(newValue)) }
    }
  }

  @inlinable public var projectedValue: Self { self }

  /// Whether the object is known to be gone; false also when nobody knows.
  public var isLost: Bool {
    Timeline.isRecording && lifeline_harness_recorder().pointee.is_gone(UnsafeRawPointer(bitPattern: address), watch)
  }

  /// Records a message and sends it; nil when the object is gone and the policy says not to.
  @inlinable
  public func send<Result, Failure: Error>(_ message: (Value) throws(Failure) -> Result) throws(Failure) -> Result? {
    if Timeline.isRecording, !arrives(LIFELINE_REFERENCE_message) { return nil }
    return try message(shape.join(object, as: Value.self))
  }

  @usableFromInline
  var address: UInt { withUnsafeBytes(of: self) { $0.load(fromByteOffset: MemoryLayout<AnyClass>.size, as: UInt.self) } }

  /// Notes a use; false when it has to be left out.
  @usableFromInline @inline(never)
  func arrives(_ what: lifeline_reference_operation) -> Bool {
    guard isLost else {
      declaration.note(what, LIFELINE_STRENGTH_unownedUnsafe, address)
      return true
    }
    var record = declaration.record
    lifeline_harness_recorder().pointee.lost(&record, UnsafeRawPointer(bitPattern: address), LIFELINE_STRENGTH_unownedUnsafe.rawValue)
    switch policy {
    case .proceed: return true
    case .ignore: return false
    case .stop:
      fatalError(
        "The unowned(unsafe) reference in \(String(cString: declaration.function)) (\(String(cString: declaration.file)):\(declaration.line)) was used after its object was deallocated.")
    }
  }

  @usableFromInline @inline(never)
  mutating func noteSet(_ address: UInt) {
    watch = lifeline_harness_recorder().pointee.watch(UnsafeRawPointer(bitPattern: address))
    guard address != 0 else { return }
    let storage = withUnsafeMutablePointer(to: &self) { UnsafeRawPointer($0) }
    declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_unownedUnsafe, address, at: storage)
  }

  @usableFromInline
  static var none: Value? { (Value.self as? any ExpressibleByNilLiteral.Type).map { $0.init(nilLiteral: ()) as! Value } }
}

extension TrackedUnownedUnsafe: @unchecked Sendable where Value: Sendable {}
