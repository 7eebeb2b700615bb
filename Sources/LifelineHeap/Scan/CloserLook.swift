/// Searches more closely for what seems lost, in places where a program may keep a reference that is not an aligned
/// word:
///
/// - at any byte, as in C's packed structures (`epoll_event`) and in arrays of them;
/// - as the address of a block's end: memory that is filled from its end, or read backwards;
/// - 16 bits higher than an address, with a counter below it, as in lock-free lists;
/// - in files that are mapped for reading;
/// - after the elements of an array that is being filled, which are counted at the end;
/// - as the address of an element before C's memory: an array whose first element has the number 1;
/// - in an `unowned` reference, safe or not, if the object was retained manually.
///
/// Done only if an object of the program's own seems lost. O(bytes of the memory).
struct CloserLook {
  private let memory: HeapMemory
  private let roots: RootScan
  private let outside: [Range<UInt64>]
  private let leftOver: Set<UInt64>

  /// `outside`, ascending, are the areas without roots; `leftOver` are words that keep nothing.
  init(_ memory: HeapMemory, _ roots: RootScan, outside: [Range<UInt64>], without leftOver: Set<UInt64>) {
    self.leftOver = leftOver
    self.memory = memory
    self.roots = roots
    self.outside = outside
  }

  /// Adds a root for each block with a reference found.
  func complete(_ graph: inout HeapGraph, _ nodes: NodeScan, _ table: borrowing BlockTable) {
    var found = FoundReferences(graph, without: leftOver)
    guard found.areSomeLost else { return }
    let search = PointerSearch(
      graph, MappingStarts(memory), isRuntimeBlock: { nodes.wordsInUse[$0] != nil }, isLost: found.isLost)
    let inner = look(search, &found, table)
    lookIntoBlocks(search, graph, nodes, &found, table)
    lookBehindElements(of: inner, graph, nodes, &found, table)
    lookForRetainsByHand(graph, nodes, &found, table)
    graph.roots += found.roots
  }

  private func lookIntoBlocks(
    _ search: PointerSearch, _ graph: HeapGraph, _ nodes: NodeScan, _ found: inout FoundReferences,
    _ table: borrowing BlockTable
  ) {
    let places = nodes.layouts.enumerated().map { type, layout -> PointerSearch.Places? in
      type == 0 || layout.mayPack ? .everywhere : layout.isText ? nil : .words
    }
    var cursor = BlockCursor(memory.source)
    for node in 0..<graph.count where !nodes.isDumb[node] {
      let type = graph.typeIndex(of: node)
      guard let places = places[type], let bytes = cursor.bytes(at: graph.addresses[node]) else { continue }
      // Only plain memory may have fewer, and it is rare next to objects.
      let used = type == 0 ? nodes.wordsInUse[node] : nil
      let range = 0..<(used ?? Int(table.wordCounts[node])) * 8
      search(bytes, range, at: graph.addresses[node], places, holder: node, &found, table)
    }
  }

  /// Code that fills an array mostly has the address after its last element; some has only the array and a number of
  /// elements. Then an element counts if it has a reference that is not found elsewhere, unlike what was moved out.
  private func lookBehindElements(
    of inner: [Int: UInt64], _ graph: HeapGraph, _ nodes: NodeScan, _ found: inout FoundReferences,
    _ table: borrowing BlockTable
  ) {
    guard !inner.isEmpty else { return }
    let known = KnownReferences(graph, to: found.lost)
    var cursor = BlockCursor(memory.source)
    for (node, place) in inner.sorted(by: { $0.key < $1.key }) where !nodes.isDumb[node] {
      let address = graph.addresses[node], words = Int(table.wordCounts[node])
      guard let bytes = cursor.bytes(at: address),
        let spare = nodes.layouts[graph.typeIndex(of: node)].spareWords(of: bytes, words)
      else { continue }
      let isAtEnd = place > address + UInt64(spare.lowerBound * 8 - 8)
      for offset in stride(from: spare.lowerBound * 8, to: spare.upperBound * 8, by: 8) {
        let target = table.block(containing: bytes.load(fromByteOffset: offset, as: UInt64.self))
        guard target >= 0, found.isLost(target), isAtEnd || graph.isReferredElsewhere(target, known: known)
        else { continue }
        found.add(target, holder: node, address: address + UInt64(offset))
      }
    }
  }

  private func lookForRetainsByHand(
    _ graph: HeapGraph, _ nodes: NodeScan, _ found: inout FoundReferences, _ table: borrowing BlockTable
  ) {
    let offsets = graph.types.map { type in
      type.fields.filter { [.unowned, .unownedUnsafe].contains($0.ownership) && $0.offset & 7 == 0 }.map(\.offset)
    }
    let isInElements = nodes.layouts.map(\.hasUnownedElements)
    let hasSome = zip(offsets, isInElements).map { !$0.isEmpty || $1 }
    guard hasSome.contains(true) else { return }
    let known = KnownReferences(graph, to: found.lost)
    var cursor = BlockCursor(memory.source)
    for node in 0..<graph.count where hasSome[graph.typeIndex(of: node)] && !nodes.isDumb[node] {
      guard let bytes = cursor.bytes(at: graph.addresses[node]) else { continue }
      let type = graph.typeIndex(of: node), words = Int(table.wordCounts[node])
      let inside = isInElements[type] ? nodes.layouts[type].unownedWords(of: bytes, words).map { $0 * 8 } : []
      for offset in offsets[type] + inside where offset + 8 <= graph.size(of: node) {
        let target = table.block(of: bytes.load(fromByteOffset: offset, as: UInt64.self))
        guard target >= 0, found.isLost(target), graph.isOwnObject(target),
          graph.strongCounts[target] > known[target]
        else { continue }
        found.add(target, holder: node, address: graph.addresses[node] + UInt64(offset))
      }
    }
  }

  /// Searches everything outside of the heap; returns the last address in each block to which a stack or a register
  /// points.
  private func look(
    _ search: PointerSearch, _ found: inout FoundReferences, _ table: borrowing BlockTable
  ) -> [Int: UInt64] {
    var inner: [Int: UInt64] = [:]
    let regions = memory.source.regions
    for index in regions.indices {
      let isFile = roots.isReadFile(index)
      guard isFile || roots.isProcessesOwn(index) else { continue }
      let ranges = roots.ranges(of: index, outside: outside)
      guard !ranges.isEmpty, let bytes = memory.source.bytes(ofRegion: index) else { continue }
      let start = regions[index].addresses.lowerBound
      for range in ranges {
        let offsets = Int(range.lowerBound - start)..<Int(range.upperBound - start)
        let isStack = roots.isStack(index)
        search(
          bytes, offsets, at: start, isFile ? .everywhereAndAligned : .everywhere, holder: nil, isStack: isStack,
          &found, table)
        guard isStack else { continue }
        for offset in stride(from: (offsets.lowerBound + 7) & ~7, to: offsets.upperBound - 7, by: 8) {
          note(bytes.load(fromByteOffset: offset, as: UInt64.self), &inner, table)
        }
      }
    }
    for word in roots.registers { note(word, &inner, table) }
    return inner
  }

  private func note(_ word: UInt64, _ inner: inout [Int: UInt64], _ table: borrowing BlockTable) {
    // In a full array, the place after the last element is after the block.
    let inside = table.block(containing: word)
    let node = inside >= 0 ? inside : table.block(containing: word &- 1)
    if node >= 0 { inner[node] = max(word, inner[node] ?? 0) }
  }
}
