extension HeapGraph {
  /// The number of the first task of a process. An asynchronous main function's is created before any other code runs.
  static let firstTask: UInt32 = 1

  /// The heap with the task that runs the program's asynchronous main function as a root.
  ///
  /// Many programs wait there forever, to be ended by another thread: the variables of an asynchronous main function
  /// live as long as the program, like those of a synchronous one. `symbol` names the functions in which tasks resume;
  /// if it does not, as in a stripped program, the first task may be that one.
  public func keepingMainTask(symbol: (UInt64) -> String?) -> HeapGraph {
    var graph = self
    for (node, task) in tasks.sorted(by: { $0.key < $1.key }) where isMain(task, Int(node), symbol) {
      graph.roots.append(HeapRoot(kind: .task, target: Int(node)))
      // Such a function leaves the main thread when it first waits, and has its variables in its task.
      graph.hasMainThreadEnded = false
    }
    return graph
  }

  private func isMain(_ task: HeapTask, _ node: Int, _ symbol: (UInt64) -> String?) -> Bool {
    guard let outermost = task.functions.last else { return false }
    if task.functions.contains(where: { symbol($0)?.contains("async_Main") == true }) { return true }
    return task.number == Self.firstTask && isUnfinishedTask(node) && symbol(outermost) == nil
  }
}
