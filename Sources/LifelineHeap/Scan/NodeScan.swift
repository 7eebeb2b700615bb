/// Looks into every block: its type, its reference count, and the blocks that it refers to.
struct NodeScan {
  private(set) var typeIndexes: [UInt32]
  private(set) var strongCounts: [UInt32]
  private(set) var flags: [UInt8]
  /// Blocks that keep nothing: freed objects that the recorder keeps, and the side tables of weak references.
  private var isDumb: [Bool]
  private var edgeStarts: [UInt32] = [0]
  private var edgeTargets: [UInt32] = []
  private var edgeOffsets: [UInt32] = []
  private var edgeFunctions: [UInt32: UInt64] = [:]
  private var classes: ClassReader
  private var layouts: [ObjectLayout] = []
  private var testRecords: Set<Int> = []
  private let memory: HeapMemory

  init(_ memory: HeapMemory, count: Int, isOwn: @escaping (UInt64) -> Bool) {
    self.memory = memory
    typeIndexes = Array(repeating: 0, count: count)
    strongCounts = Array(repeating: 0, count: count)
    flags = Array(repeating: 0, count: count)
    isDumb = Array(repeating: false, count: count)
    classes = ClassReader(memory, isOwn: isOwn)
  }

  func kind(of node: Int) -> HeapType.Kind { classes.types[Int(typeIndexes[node])].kind }

  /// Whether XCTest keeps there what came of a test or a suite of tests.
  func isTestRecord(_ node: Int) -> Bool { testRecords.contains(Int(typeIndexes[node])) }

  /// Calls with each block and its bytes.
  private func forEach(_ table: borrowing BlockTable, _ body: (Int, UnsafeRawPointer) -> Void) {
    let regions = memory.source.regions
    var region = -1
    var end: UInt64 = 0, start: UInt64 = 0
    var bytes: UnsafeRawPointer?
    for node in 0..<table.count {
      let address = table.addresses[node]
      while address >= end {
        region += 1
        guard region < regions.count else { return }
        (start, end) = (regions[region].addresses.lowerBound, regions[region].addresses.upperBound)
        if address < end { bytes = memory.source.bytes(ofRegion: region) }
      }
      if let bytes, address >= start { body(node, bytes + Int(address - start)) }
    }
  }

  /// Finds out which blocks are objects of the Swift runtime.
  mutating func identify(_ table: borrowing BlockTable) {
    var classes = classes
    var typeIndexes = typeIndexes, strongCounts = strongCounts, flags = flags, isDumb = isDumb
    let zombies = memory.recorder.zombies
    forEach(table) { node, bytes in
      let size = Int(table.wordCounts[node]) * 8
      let metadata = bytes.load(as: UInt64.self)
      if let zombies, zombies.contains(metadata) {
        isDumb[node] = true
        return
      }
      let type = classes.type(of: metadata, size: size)
      guard type != 0 else { return }
      let counts = ReferenceCounts(bytes.load(fromByteOffset: 8, as: UInt64.self))
      if let sideTable = counts.sideTable {
        let block = table.block(containing: sideTable)
        guard block >= 0, let inner = classes.reader.word(at: sideTable + 16),
          let object = classes.reader.word(at: sideTable),
          object == table.addresses[node]
        else { return }
        isDumb[block] = true
        strongCounts[node] = ReferenceCounts(inner).strong
        if ReferenceCounts(inner).isDeiniting { flags[node] |= HeapGraph.Flag.deinited }
      } else {
        guard counts.isPlausible else { return }
        strongCounts[node] = counts.strong
        if counts.isDeiniting { flags[node] |= HeapGraph.Flag.deinited }
        if counts.isImmortal { flags[node] |= HeapGraph.Flag.immortal }
      }
      typeIndexes[node] = UInt32(type)
    }
    self.classes = classes
    (self.typeIndexes, self.strongCounts, self.flags, self.isDumb) = (typeIndexes, strongCounts, flags, isDumb)
    layouts = ObjectLayout.layouts(of: &self.classes)
    testRecords = Set(self.classes.types.indices.filter { Self.isTestRecord(self.classes.types[$0].name) })
  }

  /// Finds the references from each block.
  mutating func connect(_ table: borrowing BlockTable) {
    var starts: [UInt32] = [0]
    var targets: [UInt32] = [], offsets: [UInt32] = []
    starts.reserveCapacity(table.count + 1)
    targets.reserveCapacity(table.count * 2)
    offsets.reserveCapacity(table.count * 2)
    let layouts = layouts, isDumb = isDumb, typeIndexes = typeIndexes
    let code = CodeRanges(memory.source.regions)
    var functions: [UInt32: UInt64] = [:]
    var last = -1
    forEach(table) { node, bytes in
      last += 1
      while last < node {
        starts.append(UInt32(targets.count))
        last += 1
      }
      func follow(_ words: Range<Int>) {
        for index in words {
          let word = bytes.load(fromByteOffset: index * 8, as: UInt64.self)
          guard word >= 4096 else { continue }
          let target = table.block(of: word)
          if target >= 0 {
            if index > 2, typeIndexes[node] != 0 {
              // A closure is two words: its function, and its context.
              let function = bytes.load(fromByteOffset: index * 8 - 8, as: UInt64.self)
              if code.contains(function) { functions[UInt32(targets.count)] = function }
            }
            targets.append(UInt32(target))
            offsets.append(UInt32(truncatingIfNeeded: index * 8))
          }
        }
      }
      if !isDumb[node] {
        let type = Int(typeIndexes[node])
        let words = Int(table.wordCounts[node])
        if type == 0 { follow(0..<words) } else { layouts[type].forEachRange(of: bytes, words, follow) }
      }
      starts.append(UInt32(targets.count))
    }
    while starts.count < table.count + 1 { starts.append(UInt32(targets.count)) }
    (edgeStarts, edgeTargets, edgeOffsets, edgeFunctions) = (starts, targets, offsets, functions)
  }

  private static func isTestRecord(_ name: String) -> Bool {
    name == "XCTest.XCTestSuiteRun" || name == "XCTest.XCTestCaseRun"
  }

  consuming func graph(_ table: borrowing BlockTable, _ roots: RootScan) -> HeapGraph {
    var graph = HeapGraph()
    graph.types = classes.types
    graph.addresses = Array(UnsafeBufferPointer(start: table.addresses, count: table.count))
    graph.wordCounts = Array(UnsafeBufferPointer(start: table.wordCounts, count: table.count))
    graph.typeIndexes = typeIndexes
    graph.strongCounts = strongCounts
    graph.flags = flags
    graph.edgeStarts = edgeStarts
    graph.edgeTargets = edgeTargets
    graph.edgeOffsets = edgeOffsets
    graph.edgeFunctions = edgeFunctions
    graph.roots = roots.roots
    graph.places = roots.places
    return graph
  }
}
