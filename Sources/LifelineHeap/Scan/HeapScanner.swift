/// Makes the graph of a heap: blocks, what they are, whom they refer to, and what refers to them from outside.
public struct HeapScanner {
  private let memory: HeapMemory

  public init(_ memory: HeapMemory) { self.memory = memory }

  /// O(memory). The copy of the memory is not needed afterwards.
  public func graph() -> HeapGraph {
    let images = ImageMap(memory.source.regions, systemFolders: memory.systemFolders)
    let malloc = MallocHeap(memory.source)
    let guards = GuardedObjects(memory)
    var blocks = malloc.blocks
    for object in guards.objects { blocks.append(object.address, bytes: UInt64(object.size)) }
    blocks.sort()
    let table = BlockTable(blocks)
    blocks = BlockList()
    var nodes = NodeScan(memory, count: table.count, isOwn: images.isOwn)
    nodes.identify(table)
    nodes.connect(table)
    let areas =
      malloc.areas + malloc.bookkeeping + guards.areas + memory.recorder.ranges
      + (memory.recorder.guards.map { [$0] } ?? [])
    var roots = RootScan(memory, images, count: table.count)
    roots.scan(outside: areas, table)
    let tests = roots.addPlace(HeapPlace(name: "XCTest"))
    for node in 0..<table.count {
      // Suites, test cases and the records of their runs keep each other until the process ends: that is XCTest's way.
      if nodes.isTestRecord(node) { roots.add(.memory, node, at: 0, place: tests) }
      if nodes.kind(of: node) == .task { roots.add(.task, node, at: 0, place: 0) }
      if nodes.flags[node] & HeapGraph.Flag.immortal != 0 { roots.add(.memory, node, at: 0, place: 0) }
    }
    return nodes.graph(table, roots)
  }

  /// The graph of what some known objects lead to, with the words of the program's own images as its roots: each word,
  /// not one for each node. For a process that looks at itself. O(bytes of the objects + bytes of the images).
  public func graph(from objects: [UInt64]) -> HeapGraph {
    let images = ImageMap(memory.source.regions, systemFolders: memory.systemFolders)
    let table = BlockTable(ObjectSearch(memory, from: objects).blocks)
    var nodes = NodeScan(memory, count: table.count, isOwn: images.isOwn)
    nodes.identify(table)
    nodes.connect(table)
    var roots = RootScan(memory, images, count: table.count)
    roots.scanOwnImages(table)
    return nodes.graph(table, roots)
  }
}
