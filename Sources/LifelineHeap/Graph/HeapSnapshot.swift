/// What was seen of a process's heap: its graph, or the sentence that says why nothing was.
public struct HeapSnapshot: Sendable {
  public let process: Int
  public let graph: HeapGraph
  /// Why reachability was not examined, without a full stop: "the program was killed". Nil when it was.
  public let refusal: String?
  /// Sentences about what was seen in part only; reachability errs towards reachable there.
  public let notes: [String]

  public init(process: Int, graph: HeapGraph, notes: [String] = []) {
    self.process = process
    self.graph = graph
    self.notes = notes
    refusal = nil
  }

  /// What was found in a process's memory. A process without a single block of malloc's has another allocator.
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
