/// The facts about a suspended task in a heap.
public struct HeapTask: Hashable, Sendable {
  /// The lower half of the runtime's number for it; the younger of two tasks has the higher number.
  public let number: UInt32
  /// The program's own functions in which it resumes, innermost first; of very many the inner ones and the last.
  public let functions: [UInt64]

  public init(number: UInt32, functions: [UInt64]) {
    self.number = number
    self.functions = functions
  }
}
