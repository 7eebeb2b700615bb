/// Finds objects from known ones, by following what looks like a reference.
///
/// For a process that keeps running: its allocator's bookkeeping changes while it is read, but the recorder knows where
/// objects begin. What they lead to (storage, boxes, closures) is recognized by its metadata and count.
struct ObjectSearch {
  private(set) var blocks = BlockList()
  private var classes: ClassReader
  private let source: any MemorySource

  /// O(bytes of the objects found).
  init(_ memory: HeapMemory, from objects: [UInt64]) {
    source = memory.source
    classes = ClassReader(memory, isRuntimeLinkedIn: false, isOwn: { _ in false })
    var seen = Set(objects)
    var queue = Array(seen)
    while let address = queue.popLast() {
      guard let words = words(of: address) else { continue }
      blocks.append(address, bytes: UInt64(words.count) * 8)
      for word in words.dropFirst(2) {
        let target = Self.address(in: word)
        if Self.mayBegin(at: target), seen.insert(target).inserted { queue.append(target) }
      }
    }
    blocks.sort()
  }

  /// Enums and bridge objects use spare bits of a pointer.
  static func address(in word: UInt64) -> UInt64 { word & 0x7FFF_FFFF_FFF8 }

  static func mayBegin(at address: UInt64) -> Bool { address > 4096 && address & 15 == 0 }

  /// The words of the object that begins at an address; nil if there is none, or it is being freed.
  private mutating func words(of address: UInt64) -> UnsafeBufferPointer<UInt64>? {
    guard address & 7 == 0, let index = source.region(at: address), source.regions[index].isWritable,
      let bytes = classes.reader.bytes(at: address), bytes.count >= 16
    else { return nil }
    let type = classes.type(of: bytes.load(as: UInt64.self), size: bytes.count)
    let counts = ReferenceCounts(bytes.load(fromByteOffset: 8, as: UInt64.self))
    guard type != 0 else { return nil }
    if let sideTable = counts.sideTable {
      // The scan accepts an object with a side table if it finds that table as a block.
      guard classes.reader.word(at: sideTable) == address else { return nil }
      blocks.append(sideTable, bytes: UInt64(max(blockSize(at: sideTable, upTo: 1 << 16), 24)))
    } else if !counts.isPlausible || counts.isDeiniting {
      return nil
    }
    let size = max(Int(classes.instanceSizes[type]), blockSize(at: address, upTo: bytes.count), 16)
    return UnsafeRawBufferPointer(rebasing: bytes.prefix(size & ~7)).bindMemory(to: UInt64.self)
  }

  /// The size allocated by malloc (malloc.c of glibc: the chunk's size is in the previous word); 0 if it is invalid, as
  /// a word may point to something other than the start of a chunk.
  private mutating func blockSize(at address: UInt64, upTo limit: Int) -> Int {
    guard let header = classes.reader.word(at: address - 8) else { return 0 }
    let size = header & ~7
    guard size >= MallocChunks.smallest, size <= UInt64(limit) + 8 else { return 0 }
    if header & MallocChunks.isMapped != 0 {
      return address & 4095 == 16 && size & 4095 == 0 ? Int(size) - 16 : 0
    }
    // The next chunk records that this one is in use.
    guard size & 15 == 0, let next = classes.reader.word(at: address - 8 + size),
      next & MallocChunks.previousInUse != 0,
      next & ~7 >= 16, next & ~7 & 15 == 0, next < 1 << 47
    else { return 0 }
    return Int(size) - 8
  }
}
