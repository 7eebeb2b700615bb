import Glibc

/// Finds the block that contains an address in constant time: a bit for each 16 bytes marks where a block begins.
///
/// Blocks begin at least 16 bytes apart. A slab is 1 MiB of addresses; each of its 1,024 rows of 64 bits also has the
/// number of blocks that begin before it.
struct BlockTable: ~Copyable {
  private struct Row {
    var bits: UInt64 = 0
    var before: UInt32 = 0
  }

  let addresses: [UInt64]
  let wordCounts: [UInt32]
  let count: Int
  private let lowest: UInt64
  private let span: UInt64
  private let rows: UnsafeMutablePointer<Row>
  /// For each MiB of addresses from the lowest on: its slab's number plus 1, 0 for none. There may be millions of them,
  /// but the system provides memory only for the pages in use.
  private let slabs: UnsafeMutablePointer<UInt32>
  private let lowestSlab: UInt64

  /// `blocks` are in order of address.
  init(_ blocks: consuming BlockList) {
    count = blocks.count
    (addresses, wordCounts) = (blocks.addresses, blocks.wordCounts)
    lowest = addresses.first ?? 0
    let highest = count == 0 ? 0 : addresses[count - 1] + UInt64(wordCounts[count - 1]) * 8
    span = highest - lowest
    var used: [UInt64] = []
    for index in 0..<count {
      let last = (addresses[index] + UInt64(wordCounts[index]) * 8) >> 20
      var slab = max(addresses[index] >> 20, used.last.map { $0 + 1 } ?? 0)
      while slab <= last {
        used.append(slab)
        slab += 1
      }
    }
    lowestSlab = lowest >> 20
    slabs = Self.zeroed(Int((used.last ?? 0) - lowestSlab) + 1)
    rows = Self.zeroed(max(used.count, 1) << 10)
    for (number, slab) in used.enumerated() { slabs[Int(slab - lowestSlab)] = UInt32(number) + 1 }
    var number = 0
    for index in 0..<count {
      while used[number] != addresses[index] >> 20 { number += 1 }
      rows[number << 10 + Int(addresses[index] >> 10 & 1023)].bits |= 1 << (addresses[index] >> 4 & 63)
    }
    var before: UInt32 = 0
    for row in 0..<used.count << 10 {
      rows[row].before = before
      before += UInt32(rows[row].bits.nonzeroBitCount)
    }
  }

  private static func zeroed<Element: BitwiseCopyable>(_ count: Int) -> UnsafeMutablePointer<Element> {
    guard let memory = calloc(count, MemoryLayout<Element>.stride) else { fatalError("there is no memory left") }
    return memory.bindMemory(to: Element.self, capacity: count)
  }

  deinit {
    free(rows)
    free(slabs)
  }

  /// The block that contains an address, −1 for none.
  @inline(__always)
  func block(containing address: UInt64) -> Int {
    guard address &- lowest < span else { return -1 }
    let slab = Int(slabs[Int(address >> 20 &- lowestSlab)])
    guard slab > 0 else { return -1 }
    let row = rows[(slab &- 1) << 10 | Int(address >> 10 & 1023)]
    let upTo = row.bits & (UInt64.max >> (63 - (address >> 4 & 63)))
    let block = Int(row.before) + upTo.nonzeroBitCount - 1
    // Most references lead to the beginning of a block, and no block is shorter than 16 bytes, so nothing else must be
    // fetched.
    if upTo >> (address >> 4 & 63) != 0, block >= 0 { return block }
    guard block >= 0, address &- addresses[block] < UInt64(wordCounts[block]) &* 8 else { return -1 }
    return block
  }

  /// The number of blocks that begin up to an address; nil if no block is in its MiB.
  func blocks(upTo address: UInt64) -> Int? {
    let number = address >> 20 &- lowestSlab
    guard count > 0, number <= (lowest + span) >> 20 - lowestSlab, slabs[Int(number)] > 0 else { return nil }
    let row = rows[Int(slabs[Int(number)] - 1) << 10 | Int(address >> 10 & 1023)]
    return Int(row.before) + (row.bits & (UInt64.max >> (63 - (address >> 4 & 63)))).nonzeroBitCount
  }

  /// The block that a word points to, which may carry tags in its low 3 and high 17 bits, or be a complement: this is
  /// how libdispatch hides pointers that do not count from leak checkers.
  @inline(__always)
  func block(of word: UInt64) -> Int {
    if word < 4096 { return -1 }
    let block = block(containing: word & 0x7FFF_FFFF_FFF8)
    if block >= 0 || word >> 47 != 0x1FFFF { return block }
    return self.block(containing: ~word & 0x7FFF_FFFF_FFF8)
  }
}
