/// What a tracked unowned(unsafe) reference does when it is used after its object is gone.
public enum UseAfterFreePolicy: Sendable {
  /// The program stops, with a sentence that names the reference.
  case stop
  /// The message is not sent, as one to nil is not.
  case ignore
  /// The message goes through, as it does without Lifeline; the behaviour is undefined.
  case `continue`
}
