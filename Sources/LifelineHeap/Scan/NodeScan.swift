/// Scans every block: its type, its reference count, and the blocks that it refers to.
struct NodeScan {
  private(set) var typeIndexes: [UInt32]
  private(set) var strongCounts: [UInt32]
  private(set) var flags: [UInt8]
  /// Blocks that keep nothing: freed objects that the recorder keeps, the side tables of weak references, blocks that
  /// libdispatch caches for reuse, and the buffers of C's streams.
  private(set) var isDumb: [Bool]
  private(set) var layouts: [ObjectLayout] = []
  private var edges = EdgeList(nodes: 0, most: 0)
  private var tasks: [UInt32: HeapTask] = [:]
  private var classes: ClassReader
  private let memory: HeapMemory

  init(_ memory: HeapMemory, _ images: ImageMap, count: Int) {
    self.memory = memory
    typeIndexes = Array(repeating: 0, count: count)
    strongCounts = Array(repeating: 0, count: count)
    flags = Array(repeating: 0, count: count)
    isDumb = Array(repeating: false, count: count)
    classes = ClassReader(memory, isRuntimeLinkedIn: images.isRuntimeLinkedIn, isOwn: images.isOwn)
  }

  /// The words that may be references in memory of the runtime, which may have further ones, by block.
  private(set) var wordsInUse: [Int: Int] = [:]

  /// The types of the blocks, by their index in `typeIndexes`.
  var types: [HeapType] { classes.types }

  /// Determines which blocks are objects of the Swift runtime.
  mutating func identify(_ table: borrowing BlockTable) {
    for node in DispatchCaches.nodes(memory, table) { isDumb[node] = true }
    var cursor = BlockCursor(memory.source)
    let zombies = memory.recorder.zombies ?? 0..<0
    for node in 0..<table.count {
      guard let bytes = cursor.bytes(at: table.addresses[node]) else { continue }
      let metadata = bytes.load(as: UInt64.self)
      if zombies.contains(metadata) {
        isDumb[node] = true
        continue
      }
      let type = classes.type(of: bytes, size: Int(table.wordCounts[node]) * 8)
      guard type != 0 else { continue }
      let counts = ReferenceCounts(bytes.load(fromByteOffset: 8, as: UInt64.self))
      if let sideTable = counts.sideTable {
        let block = table.block(containing: sideTable)
        guard block >= 0, let inner = classes.reader.word(at: sideTable + 16),
          let object = classes.reader.word(at: sideTable),
          object == table.addresses[node]
        else { continue }
        isDumb[block] = true
        strongCounts[node] = ReferenceCounts(inner).strong
        if ReferenceCounts(inner).isDeiniting { flags[node] |= HeapGraph.Flag.deinited }
      } else {
        guard counts.isPlausible else { continue }
        strongCounts[node] = counts.strong
        if counts.isDeiniting { flags[node] |= HeapGraph.Flag.deinited }
        if counts.isImmortal { flags[node] |= HeapGraph.Flag.immortal }
      }
      typeIndexes[node] = UInt32(type)
    }
  }

  /// Finds the references from each block.
  mutating func connect(_ table: borrowing BlockTable, _ images: ImageMap) {
    layouts = ObjectLayout.layouts(of: &classes)
    identifySideTables(table)
    for node in StdioBuffers.nodes(memory, images, table) where typeIndexes[node] == 0 { isDumb[node] = true }
    let runtime = RuntimeBlocks(memory, images, table)
    if memory.hasMainReturned { identifyMainTask(table, runtime) }
    let plainExtents = layouts.map(\.plainExtent)
    let isTask = classes.types.map { $0.kind == .task }
    let words = table.wordCounts.reduce(0) { $0 + Int($1) }
    var edges = EdgeList(nodes: table.count, most: min(words, 1 << 28))
    var frames = TaskFrames(memory.source, images)
    var closures = ClosureFunctions(memory.source)
    var existentials = ExistentialReader(memory.source)
    var cursor = BlockCursor(memory.source)
    for node in 0..<table.count {
      edges.begin()
      guard !isDumb[node], let bytes = cursor.bytes(at: table.addresses[node]) else { continue }
      let type = Int(typeIndexes[node])
      let words = Int(table.wordCounts[node])
      if type == 0 {
        let used = runtime.wordsInUse(node, bytes, words, &classes.reader)
        if let used { wordsInUse[node] = used }
        edges.follow(0..<(used ?? words), of: bytes, isObject: false, table, &closures)
      } else if let extent = plainExtents[type] {
        let end = extent.end(of: words)
        var start = min(2, end)
        if isTask[type] {
          tasks[UInt32(node)] = frames.task(bytes, at: table.addresses[node], size: words * 8)
          // The words after the header link tasks in an executor's queue, or in that of what waits for a task's value
          // (Job::SchedulerPrivate in swift/ABI/Task.h). One that waits for a continuation is in neither.
          if frames.wait(ofTaskAt: table.addresses[node]) == .continuation { start = min(4, end) }
          let frame = HeapGraph.frameOffset / 8
          if frame < end, TaskFrames.isComplete(bytes, size: words * 8) {
            edges.follow(start..<frame, of: bytes, isObject: true, table, &closures)
            start = frame + 1
          }
        }
        edges.follow(start..<end, of: bytes, isObject: true, table, &closures)
      } else {
        for range in layouts[type].ranges(of: bytes, words, &existentials) {
          edges.follow(range, of: bytes, isObject: true, table, &closures)
        }
        for word in kept(type, of: bytes, words, table) {
          edges.follow(word..<word + 1, of: bytes, isObject: true, table, &closures)
        }
      }
    }
    edges.begin()
    self.edges = edges
  }

  /// Finds the side tables of freed objects by the weak references to them. Such a table still has the address of its
  /// object, where there may be another one by now.
  private mutating func identifySideTables(_ table: borrowing BlockTable) {
    let weak = classes.types.map { type in type.fields.filter { $0.ownership == .weak }.map { $0.offset / 8 } }
    guard weak.contains(where: { !$0.isEmpty }) else { return }
    var cursor = BlockCursor(memory.source)
    for node in 0..<table.count {
      let words = weak[Int(typeIndexes[node])]
      guard !words.isEmpty, !isDumb[node], let bytes = cursor.bytes(at: table.addresses[node]) else { continue }
      for word in words where word < table.wordCounts[node] {
        let address = bytes.load(fromByteOffset: word * 8, as: UInt64.self)
        let target = table.block(of: address)
        guard target >= 0, table.addresses[target] == address, typeIndexes[target] == 0,
          let counts = classes.reader.word(at: address + 16), ReferenceCounts(counts).isFreed
        else { continue }
        isDumb[target] = true
      }
    }
  }

  /// Finds the main function's task, which has ended, and its slabs: variables and words left over in its frames.
  ///
  /// The frame of the runtime that called the function has the task's address.
  private mutating func identifyMainTask(_ table: borrowing BlockTable, _ runtime: RuntimeBlocks) {
    var cursor = BlockCursor(memory.source)
    for slot in 0..<UInt64(256) {
      guard let word = classes.reader.word(at: memory.recorder.exitFrame &+ slot &* 8) else { break }
      let task = table.block(of: word)
      guard task >= 0, table.addresses[task] == word, classes.types[Int(typeIndexes[task])].kind == .task,
        !isDumb[task], let bytes = cursor.bytes(at: word),
        TaskFrames.isFirst(bytes, size: Int(table.wordCounts[task]) * 8)
      else { continue }
      isDumb[task] = true
      var words = (0..<Int(table.wordCounts[task])).map { bytes.load(fromByteOffset: $0 * 8, as: UInt64.self) }
      // A slab begins with its metadata and the next slab.
      while let word = words.popLast() {
        let slab = table.block(of: word)
        guard slab >= 0, table.addresses[slab] == word, !isDumb[slab], typeIndexes[slab] == 0,
          let bytes = cursor.bytes(at: word),
          runtime.isSlab(bytes, Int(table.wordCounts[slab]), &classes.reader)
        else { continue }
        isDumb[slab] = true
        words.append(bytes.load(fromByteOffset: 8, as: UInt64.self))
      }
    }
  }

  /// The words of a context that count although they are described as unowned or weak references: their object has no
  /// unowned ones, or they do not point to the side table of a weak one.
  private mutating func kept(
    _ type: Int, of bytes: UnsafeRawPointer, _ count: Int, _ table: borrowing BlockTable
  ) -> [Int] {
    guard classes.types[type].kind == .closure else { return [] }
    return classes.types[type].fields.filter { [.unowned, .weak].contains($0.ownership) }.filter { field in
      guard field.content != .word, field.offset / 8 < count else { return false }
      let address = bytes.load(fromByteOffset: field.offset & ~7, as: UInt64.self)
      let target = table.block(of: address)
      guard target >= 0 else { return false }
      guard table.addresses[target] == address, let counts = classes.reader.word(at: address + 8) else { return true }
      if field.ownership == .weak { return !isDumb[target] }
      let sideTable = ReferenceCounts(counts).sideTable
      return !ReferenceCounts(sideTable.map { classes.reader.word(at: $0 + 16) ?? 0 } ?? counts).hasUnowned
    }.map { $0.offset / 8 }
  }

  func graph(_ table: borrowing BlockTable, _ roots: RootScan) -> HeapGraph {
    var graph = HeapGraph()
    graph.types = classes.types
    graph.typeIndexes = typeIndexes
    graph.strongCounts = strongCounts
    graph.flags = flags
    graph.edgeStarts = edges.starts
    graph.edgeTargets = edges.targets
    graph.edgeOffsets = edges.offsets
    graph.edgeFunctions = edges.functions
    graph.tasks = tasks
    graph.roots = roots.roots
    graph.places = roots.places
    (graph.addresses, graph.wordCounts) = (table.addresses, table.wordCounts)
    graph.addClosures(inMemory: edges.codeBefore)
    return graph
  }
}
