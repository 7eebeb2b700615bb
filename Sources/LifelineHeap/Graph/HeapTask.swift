/// The facts about a suspended task in a heap.
public struct HeapTask: Hashable, Sendable {
  /// What a task waits for (TaskDependencyStatusRecord in swift/ABI/TaskStatus.h).
  public enum Wait: UInt8, Sendable {
    case task = 1
    case continuation = 2
    case group = 3
    /// An executor has the task's job and has not run it.
    case executor = 4
  }

  /// The lower half of the runtime's number for it; the younger of two tasks has the higher number.
  public let number: UInt32
  /// The program's own functions in which it resumes, innermost first; of very many the inner ones and the last.
  public let functions: [UInt64]
  /// Nil if the runtime does not say.
  public let wait: Wait?

  public init(number: UInt32, functions: [UInt64], wait: Wait? = nil) {
    self.number = number
    self.functions = functions
    self.wait = wait
  }
}
