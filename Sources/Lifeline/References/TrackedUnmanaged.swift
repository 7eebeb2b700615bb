import CLifelineHarness

/// An `Unmanaged` reference that records its uses; its user does the counting.
///
///     let context = TrackedUnmanaged.passRetained(listener)
///     register(callback, context.toOpaque())
@frozen
public struct TrackedUnmanaged<Instance: AnyObject>: LosableReference, @unchecked Sendable {
  @usableFromInline let unmanaged: Unmanaged<Instance>
  @usableFromInline let watch: UInt64
  @usableFromInline let declaration: Declaration

  @usableFromInline
  init(_ unmanaged: Unmanaged<Instance>, _ declaration: Declaration) {
    self.unmanaged = unmanaged
    self.declaration = declaration
    guard Timeline.isRecording else {
      watch = 0
      return
    }
    watch = lifeline_harness_recorder().pointee.watch(unmanaged.toOpaque())
    declaration.note(LIFELINE_REFERENCE_set, LIFELINE_STRENGTH_unmanaged, UInt(bitPattern: unmanaged.toOpaque()))
  }

  /// Takes a reference, to be balanced by `takeRetainedValue()` or `release()`.
  public static func passRetained(
    _ value: Instance, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Self { Self(.passRetained(value), Declaration(file, line, function)) }

  /// Refers to an object without retaining it.
  public static func passUnretained(
    _ value: Instance, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Self { Self(.passUnretained(value), Declaration(file, line, function)) }

  /// Restores a reference from a pointer returned by `toOpaque()`.
  public static func fromOpaque(
    _ pointer: UnsafeRawPointer, file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) -> Self { Self(.fromOpaque(pointer), Declaration(file, line, function)) }

  /// The pointer, like that of `Unmanaged`; nothing is retained or recorded.
  public func toOpaque() -> UnsafeMutableRawPointer { unmanaged.toOpaque() }

  /// Whether the object is known to be gone; also false when that is unknown.
  public var isLost: Bool { Timeline.isRecording && lifeline_harness_recorder().pointee.is_gone(toOpaque(), watch) }

  /// The object, without releasing a reference.
  public func takeUnretainedValue() -> Instance {
    note(LIFELINE_REFERENCE_load)
    return unmanaged.takeUnretainedValue()
  }

  /// The object, consuming the reference taken before.
  public func takeRetainedValue() -> Instance {
    note(LIFELINE_REFERENCE_clear)
    return unmanaged.takeRetainedValue()
  }

  /// Takes another reference.
  @discardableResult
  public func retain() -> Self {
    note(LIFELINE_REFERENCE_set)
    _ = unmanaged.retain()
    return self
  }

  /// Releases a reference.
  public func release() {
    note(LIFELINE_REFERENCE_clear)
    unmanaged.release()
  }

  /// Records a message and sends it.
  public func send<Result, Failure: Error>(_ message: (Instance) throws(Failure) -> Result) throws(Failure) -> Result {
    note(LIFELINE_REFERENCE_message)
    return try message(unmanaged.takeUnretainedValue())
  }

  private func note(_ what: lifeline_reference_operation) {
    guard Timeline.isRecording else { return }
    guard isLost else { return declaration.note(what, LIFELINE_STRENGTH_unmanaged, UInt(bitPattern: toOpaque())) }
    declaration.noteLost(LIFELINE_STRENGTH_unmanaged, UInt(bitPattern: toOpaque()))
  }
}
