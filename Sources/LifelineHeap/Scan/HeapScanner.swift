/// Builds the graph of a heap: blocks, their types, their references, and the references from outside.
public struct HeapScanner {
  private let memory: HeapMemory

  public init(_ memory: HeapMemory) { self.memory = memory }

  /// O(memory). The copy of the memory is not needed afterwards.
  public func graph() -> HeapGraph {
    let images = ImageMap(
      memory.source.regions, systemFolders: memory.systemFolders, reader: MemoryReader(memory.source))
    let malloc = MallocHeap(memory.source)
    let guards = GuardedObjects(memory)
    var blocks = malloc.blocks
    for object in guards.objects { blocks.append(object.address, bytes: UInt64(object.size)) }
    blocks.sort()
    let table = BlockTable(blocks)
    var nodes = NodeScan(memory, images, count: table.count)
    nodes.identify(table)
    nodes.connect(table, images)
    let areas =
      malloc.areas + malloc.bookkeeping + guards.areas + memory.recorder.ranges
      + (memory.recorder.guards.map { [$0] } ?? [])
    let outside = areas.sorted { $0.lowerBound < $1.lowerBound }
    var roots = RootScan(memory, images, count: table.count)
    roots.scan(outside: outside, table)
    let tests = roots.addPlace(HeapPlace(name: "XCTest"))
    // XCTest's suites, test cases and records of runs keep each other until the process ends.
    let isTestRecord = nodes.types.map { $0.name == "XCTest.XCTestSuiteRun" || $0.name == "XCTest.XCTestCaseRun" }
    for node in 0..<table.count {
      if isTestRecord[Int(nodes.typeIndexes[node])] { roots.add(.memory, node, at: 0, place: tests) }
      if nodes.flags[node] & HeapGraph.Flag.immortal != 0 { roots.add(.memory, node, at: 0, place: 0) }
    }
    var graph = nodes.graph(table, roots)
    let leftOver = LeftOverFrameWords(graph)
    graph.remove(leftOver.edges)
    CloserLook(memory, roots, outside: outside, without: leftOver.addresses).complete(&graph, nodes, table)
    addTasks(to: &graph)
    if !memory.hasMainReturned { graph.exitCalls = memory.recorder.exitCalls }
    graph.runningCode = RunningCode(memory, images).threads
    graph.hasMainThreadEnded = memory.hasMainThreadEnded && !memory.hasMainReturned
    return graph
  }

  /// A task that can still be resumed is a root, which is easier to understand than the queue's or the timer's memory
  /// that refers to it. An unreferenced suspended task is not a root: it cannot be resumed.
  private func addTasks(to graph: inout HeapGraph) {
    let isTask = graph.types.map { $0.kind == .task }
    guard isTask.contains(true) else { return }
    let reachable = ReachableNodes(graph)
    for node in 0..<graph.count where isTask[graph.typeIndex(of: node)] && reachable.contains(node) {
      graph.roots.append(HeapRoot(kind: .task, target: node))
    }
  }

  /// The graph of everything that known objects and the words of the program's own images lead to, with these words as
  /// its roots: each word, not one for each node. For a process that examines itself. O(bytes of the objects + bytes of
  /// the images).
  public func graph(from objects: [UInt64]) -> HeapGraph {
    let images = ImageMap(
      memory.source.regions, systemFolders: memory.systemFolders, reader: MemoryReader(memory.source))
    var starts = objects
    images.forEachOwnWord(memory.source) { _, _, word in
      let address = ObjectSearch.address(in: word)
      if ObjectSearch.mayBegin(at: address), !images.contains(address) { starts.append(address) }
    }
    let table = BlockTable(ObjectSearch(memory, from: starts).blocks)
    var nodes = NodeScan(memory, images, count: table.count)
    nodes.identify(table)
    nodes.connect(table, images)
    var roots = RootScan(memory, images, count: table.count)
    roots.scanOwnImages(table)
    return nodes.graph(table, roots)
  }
}
