/// What a heap knows of a suspended task.
public struct HeapTask: Hashable, Sendable {
  /// The lower half of the number that the runtime gave it: of two tasks the younger has the higher one.
  public let number: UInt32
  /// The program's own functions in which it resumes, the innermost first; of very many the inner ones and the last.
  public let functions: [UInt64]

  public init(number: UInt32, functions: [UInt64]) {
    self.number = number
    self.functions = functions
  }
}
