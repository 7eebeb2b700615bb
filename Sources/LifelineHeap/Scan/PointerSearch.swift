/// Finds pointers to blocks that seem lost where they are not aligned words.
struct PointerSearch {
  enum Places {
    /// Words that point to a block's end or to an element before C's memory, or that hold an address 16 bits higher.
    case words
    /// These, and addresses that begin within a word.
    case everywhere
    /// All addresses.
    case everywhereAndAligned
  }

  /// The largest elements of an array that begins at 1.
  private static let largestElement: UInt64 = 256
  private static let counterBits: UInt64 = 16, bytes: UInt64 = 0x0101_0101_0101_0101
  /// Byte 5, the highest of an address: if the word is an address, no other one contains that byte.
  private static let topByte: UInt64 = 0xFF << 40
  private let graph: HeapGraph
  /// The addresses of everything that seems lost, with an element before it and the address after it.
  private let lowest: UInt64
  private let count: UInt64
  /// The highest bytes of these addresses, each repeated in all bytes of a word; nil if there are more than two.
  private let tops: (UInt64, UInt64)?
  /// Where other mappings begin. A block with a mapping of its own may end there, but who has the address mostly refers
  /// to the other mapping.
  private let starts: MappingStarts
  private let isRuntimeBlock: (Int) -> Bool

  /// The runtime refers to its own blocks by their addresses, so an address before one or at its end leads to the block
  /// next to it: task slabs contain such addresses. O(nodes).
  init(
    _ graph: HeapGraph, _ starts: MappingStarts = MappingStarts(),
    isRuntimeBlock: @escaping (Int) -> Bool = { _ in false },
    isLost: (Int) -> Bool
  ) {
    self.graph = graph
    self.starts = starts
    self.isRuntimeBlock = isRuntimeBlock
    var lost: Range<UInt64>?
    var found: [UInt8] = []
    for node in 0..<graph.count where isLost(node) {
      let start = graph.addresses[node], end = start + UInt64(graph.size(of: node))
      lost = (lost?.lowerBound ?? start &- Self.largestElement)..<end + 1
      for top in [UInt8(truncatingIfNeeded: start >> 40), UInt8(truncatingIfNeeded: end >> 40)]
      where !found.contains(top) { found.append(top) }
    }
    lowest = lost?.lowerBound ?? 0
    count = UInt64(lost?.count ?? 0)
    let words = found.map { UInt64($0) * Self.bytes }
    tops = words.count <= 2 ? (words.first ?? 0, words.last ?? 0) : nil
  }

  /// Searches a range of bytes that begins `range.lowerBound` after an address.
  func callAsFunction(
    _ bytes: UnsafeRawPointer, _ range: Range<Int>, at address: UInt64, _ places: Places, holder: Int?,
    isStack: Bool = false, _ found: inout FoundReferences, _ table: borrowing BlockTable
  ) {
    func lookWithinWords(_ starts: Range<Int>) {
      for offset in starts.clamped(to: range) where offset & 7 != 0 && offset + 8 <= range.upperBound {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        guard mayLead(word) else { continue }
        let node = table.block(containing: word)
        if node >= 0 { found.add(node, holder: holder, address: address + UInt64(offset)) }
      }
    }
    let first = (range.lowerBound + 7) & ~7
    var offset = first
    while offset + 8 <= range.upperBound {
      let word = bytes.load(fromByteOffset: offset, as: UInt64.self)
      if mayLead(word) || mayLead(word >> Self.counterBits) {
        let node = starts.contains(word, onStack: isStack) ? -1 : target(of: word, places, table)
        // To itself, it is a block's end.
        let next = node >= 0 && node == holder ? -1 : memory(after: word, table)
        if node >= 0 { found.add(node, holder: holder, address: address + UInt64(offset)) }
        if next >= 0 { found.add(next, holder: holder, address: address + UInt64(offset)) }
        if next < 0 {
          for array in arrays(after: word, table) {
            found.add(array, holder: holder, address: address + UInt64(offset))
          }
        }
      }
      if places != .words, mayHaveTop(word) { lookWithinWords(offset - 5..<offset + 3) }
      offset += 8
    }
    guard places != .words else { return }
    // Addresses whose highest byte is not in a whole word of the range.
    if range.lowerBound < first { lookWithinWords(range.lowerBound..<first) }
    if offset < range.upperBound { lookWithinWords(offset - 8..<offset) }
  }

  @inline(__always)
  private func mayLead(_ word: UInt64) -> Bool { word &- lowest < count }

  /// Whether a byte of a word may be the highest one of an address that begins within a word.
  @inline(__always)
  private func mayHaveTop(_ word: UInt64) -> Bool {
    guard let tops else { return true }
    return hasZero(word ^ tops.0 | Self.topByte) || tops.0 != tops.1 && hasZero(word ^ tops.1 | Self.topByte)
  }

  @inline(__always)
  private func hasZero(_ word: UInt64) -> Bool { (word &- Self.bytes) & ~word & (Self.bytes << 7) != 0 }

  /// The memory that begins one word after an address, −1 for none. That word is malloc's, so only the end of the block
  /// before it has the same address.
  private func memory(after word: UInt64, _ table: borrowing BlockTable) -> Int {
    let node = table.block(containing: word &+ 8)
    return node >= 0 && graph.addresses[node] == word &+ 8 && graph.type(of: node).kind == .memory
      && !isRuntimeBlock(node)
      ? node : -1
  }

  /// Memory that begins some words after an address and may be filled with several elements of that size, if it is not
  /// the address of a block itself.
  private func arrays(after word: UInt64, _ table: borrowing BlockTable) -> [Int] {
    guard word & 7 == 0, word < .max - Self.largestElement else { return [] }
    let own = table.block(containing: word)
    if own >= 0, graph.addresses[own] == word { return [] }
    // Without a block in the MiB of the last address, there may be one before the end of the word's own.
    guard let blocks = table.blocks(upTo: word + Self.largestElement) ?? table.blocks(upTo: word | 0xF_FFFF) else {
      return []
    }
    var node = blocks - 1
    var found: [Int] = []
    while node >= 0, graph.addresses[node] > word {
      let element = Int(graph.addresses[node] - word), size = graph.size(of: node)
      // malloc adds at most 15 bytes.
      if element > 8, size >= 2 * element, size / element * element > size - 16,
        graph.type(of: node).kind == .memory, !isRuntimeBlock(node)
      {
        found.append(node)
      }
      node -= 1
    }
    return found
  }

  private func target(of word: UInt64, _ places: Places, _ table: borrowing BlockTable) -> Int {
    let node = table.block(containing: word)
    if node >= 0 { return places == .everywhereAndAligned ? node : -1 }
    let ended = table.block(containing: word &- 1)
    return ended < 0 ? table.block(containing: word >> Self.counterBits) : isRuntimeBlock(ended) ? -1 : ended
  }
}
