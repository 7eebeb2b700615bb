import LifelineHeap

/// Tasks of a cycle that wait: what ends them, and what they hold while they wait.
extension LeakCutInspector {
  /// The closures whose object a task keeps holding while it waits, however they captured it: the call it waits in
  /// holds the object it was made on. Waiting for a stream's next element in the closure itself holds nothing.
  func heldByTasks(_ core: Set<Int>) -> Set<String> {
    var held: Set<String> = []
    for task in core where graph.isUnfinishedTask(task) {
      let functions = graph.functions(ofTask: task)
      held.formUnion((isConsumer(task, core) ? functions.dropFirst() : functions[...]).map(closures.identity))
    }
    return held
  }

  /// The waiting tasks end. If there are several, it is unknown which one waits for another, such as its child, so all
  /// must end.
  ///
  /// A task that ends frees the blocks with its frames, which only it refers to.
  func ending(_ core: Set<Int>) -> Candidate? {
    let tasks = core.filter { graph.type(of: $0).kind == .task }
    let waiting = tasks.filter(graph.isUnfinishedTask).sorted()
    guard let first = waiting.first else { return nil }
    let change: LeakCut.Change =
      if tasks.count > 1 {
        .endTasks(waiting.compactMap(graph.task))
      } else if graph.task(first)?.wait == .executor {
        .runJob
      } else {
        isConsumer(first, core) ? .finishStream : isObserver(first, core) ? .cancel : .resume
      }
    let frames = waiting.flatMap { targets(of: $0) }.filter { graph.type(of: $0).kind == .memory }
    return Candidate(
      change: change, rank: 4, age: waiting.map(nodes.age).min() ?? .max,
      edges: change == .finishStream ? terminationHandlers(core) : [], ending: waiting + frames)
  }

  /// What a stream gives up when it is finished: its termination handler, which is called then (AsyncStreamBuffer.swift
  /// of Swift).
  private func terminationHandlers(_ core: Set<Int>) -> [Int] {
    core.sorted().filter { node in
      ["Swift.AsyncStream._Storage", "Swift.AsyncThrowingStream._Storage"].contains {
        graph.type(of: node).name.withoutTypeArguments.hasPrefix($0)
      }
    }.flatMap { node in
      graph.edges(from: node).filter { edge in
        graph.function(of: edge) != nil || graph.type(of: graph.target(of: edge)).kind == .closure
      }
    }
  }

  /// Whether a stream is to wake the task with its next element.
  private func isConsumer(_ task: Int, _ core: Set<Int>) -> Bool {
    core.contains { node in
      let name = graph.type(of: node).name
      guard name.contains("AsyncStream") || name.contains("AsyncThrowingStream") else { return false }
      return targets(of: node).contains { next in
        next == task || graph.type(of: next).kind != .task && targets(of: next).contains(task)
      }
    }
  }

  /// Whether a task waits in `Observations`, whose continuation is the library's.
  private func isObserver(_ task: Int, _ core: Set<Int>) -> Bool {
    core.contains {
      graph.type(of: $0).name.contains("Observation.Observations.State.Continuation") && targets(of: $0).contains(task)
    }
  }
}
