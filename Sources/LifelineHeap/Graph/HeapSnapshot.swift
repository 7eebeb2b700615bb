/// A process's heap: its graph, or a sentence that says why it was not examined.
public struct HeapSnapshot: Sendable {
  public let process: Int
  public let graph: HeapGraph
  /// Why reachability was not examined, without a period: "the program was killed". Nil if it was.
  public let refusal: String?
  /// Sentences about what was only partly seen; there, reachability errs towards reachable.
  public let notes: [String]

  public init(process: Int, graph: HeapGraph, notes: [String] = []) {
    self.process = process
    self.graph = graph
    self.notes = notes
    refusal = nil
  }

  /// Builds the snapshot from a process's memory. A process without a single malloc block has another allocator.
  public init(process: Int, memory: HeapMemory) {
    let graph = HeapScanner(memory).graph()
    if graph.count > 0 {
      self.init(process: process, graph: graph)
    } else {
      self.init(
        process: process, refusal: "the program does not use glibc's malloc, and other allocators are not supported")
    }
  }

  /// The snapshot with the task of an asynchronous main function as a root: `HeapGraph.keepingMainTask`.
  public func keepingMainTask(symbol: (UInt64) -> String?) -> HeapSnapshot {
    refusal == nil
      ? HeapSnapshot(process: process, graph: graph.keepingMainTask(symbol: symbol), notes: notes) : self
  }

  public init(process: Int, refusal: String) {
    self.process = process
    self.refusal = refusal
    graph = HeapGraph()
    notes = []
  }
}
