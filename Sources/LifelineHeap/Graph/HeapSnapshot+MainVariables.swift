extension HeapGraph {
  /// The place of variables on a main thread that has ended.
  public static let endedThread = "a function on the main thread, which has ended"
}

extension HeapSnapshot {
  /// The snapshot with all objects as roots that may belong to variables of a main thread that has ended.
  ///
  /// Functions that call `dispatchMain()` never return, but their stack is gone. Without a recording, nothing tells
  /// which objects they had; those of a cycle keep each other, whoever had them. An asynchronous main function's
  /// variables are in its task.
  public func keepingMainVariables() -> HeapSnapshot {
    guard refusal == nil, graph.hasMainThreadEnded else { return self }
    let held = LostGroup.groups(in: graph).filter { !$0.isCycle }
    guard !held.isEmpty else { return self }
    let whole = graph.keeping(held.map { ($0.core, HeapGraph.endedThread) })
    let note =
      "The main thread has ended, as in dispatchMain(). What nothing refers to may belong to its variables, and is not "
      + "reported; lifeline check distinguishes it."
    return HeapSnapshot(process: process, graph: whole, notes: notes + [note])
  }
}
