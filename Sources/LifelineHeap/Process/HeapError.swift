/// Why a heap could not be examined: a clause that follows "reachability was not examined: ".
public struct HeapError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String

  public init(_ clause: String) { description = clause }
}
