/// What a tracked unowned(unsafe) reference does if it is used after its object is gone.
public enum UseAfterFreePolicy: Sendable {
  /// Stops the program with a message that names the reference.
  case stop
  /// Skips the call, like one to nil.
  case ignore
  /// Makes the call, as without Lifeline; the behavior is undefined.
  case `continue`
}
