/// Blocks of the Swift runtime that are only in use up to some word; the rest is leftover contents.
///
/// Slabs of tasks (StackAllocator.h of the runtime) contain their allocated size:
///
///   ┌──────────┬──────┬────────────────┬───────────────┬─────────┬─────────────────────┐
///   │ metadata │ next │ capacity (u32) │ in use (u32)  │ padding │ capacity bytes …    │
///   └──────────┴──────┴────────────────┴───────────────┴─────────┴─────────────────────┘
///
/// The runtime's hash tables (Concurrent.h) contain the number of their elements: a table's variable has it in the four
/// bytes before their address, and a block of elements begins with their capacity. The tables of the standard library
/// are in its own variables, and those of each generic type's instances in the image that declares the type. Any image
/// may have words that look like one, so there the table's index must match: 15 numbers of 4 bits after 4 zero bits,
/// which in a small table follow the address, and of which one is each element's number. The cache of types by name is
/// such a table; each name has a block of its own.
///
/// The pool from which metadata is allocated (MetadataAllocator of the runtime) is a block of 16 KiB, and a variable
/// has the address of its unused part and that part's size; with debug options the last 16 bytes are not part of it.
///
/// A C block that was copied to the heap (Block_private.h) has a flag that says so, and a descriptor with its size:
///
///   ┌───────┬─────────────┬──────────┬──────┬────────────┬────────────┐
///   │ class │ flags (u32) │ reserved │ code │ descriptor │ captures … │
///   └───────┴─────────────┴──────────┴──────┴────────────┴────────────┘
///
/// What a queue or a source is to run, for a C block or a task (struct dispatch_continuation_s of libdispatch, 64
/// bytes): the last word is only used where a class is instead of the flags, and not cleared when such memory is used
/// again:
///
///   ┌───────┬──────────┬──────┬─────────┬──────┬───────┬──────┬────────┐
///   │ flags │ priority │ next │ voucher │ code │ block │ data │ unused │   8 bytes each
///   └───────┴──────────┴──────┴─────────┴──────┴───────┴──────┴────────┘
///
/// The runtime's entry for a type that is not generic is two words, its state and its metadata, in a block of three or
/// more. In an image (TargetSingletonMetadataInitialization's cache), the address of the metadata is before that of the
/// entry.
struct RuntimeBlocks {
  private static let slabHeader = 32
  private static let blockHeader = 32, isCopied: UInt32 = 1 << 24
  /// malloc gives fewer bytes than this beyond what was requested: if less than that is left of a free chunk, it does
  /// not divide the chunk.
  private static let mallocRemainder = 32
  private let images: ImageMap
  /// Words in use in blocks with elements of hash tables.
  private var elements: [Int: Int] = [:]

  /// O(bytes of the images' variables).
  init(_ memory: HeapMemory, _ images: ImageMap, _ table: borrowing BlockTable) {
    self.images = images
    for (index, region) in memory.source.regions.enumerated()
    where region.isWritable && images.imageOfRegion[index] >= 0 {
      guard let bytes = memory.source.bytes(ofRegion: index) else { continue }
      let isCore = images.isCore(region: index)
      for offset in stride(from: 8, to: region.addresses.count - 15, by: 8) {
        let address = bytes.load(fromByteOffset: offset, as: UInt64.self)
        notePool(at: address, left: bytes.load(fromByteOffset: offset + 8, as: UInt64.self), table)
        noteEntry(at: address, of: bytes.load(fromByteOffset: offset - 8, as: UInt64.self), memory.source, table)
        let count = Int(bytes.load(fromByteOffset: offset - 4, as: UInt32.self))
        guard count > 0 else { continue }
        let hasIndex = Self.isIndex(bytes.load(fromByteOffset: offset + 8, as: UInt64.self), of: count)
        guard isCore || hasIndex else { continue }
        let node = table.block(containing: address)
        guard node >= 0, table.addresses[node] == address else { continue }
        guard let place = memory.source.region(at: address),
          let block = memory.source.bytes(ofRegion: place)
        else { continue }
        let start = Int(address - memory.source.regions[place].addresses.lowerBound)
        let capacity = Int(block.load(fromByteOffset: start, as: UInt32.self))
        let words = Int(table.wordCounts[node])
        let isSingle = hasIndex && capacity == 1
        guard count <= capacity,
          let used = Self.words(of: count, capacity, in: words, isCore: isCore, isSingle: isSingle)
        else { continue }
        elements[node] = used
        if isCore { noteNames(block + start, used, table) }
      }
    }
  }

  private static let poolSize: UInt64 = 16 << 10, poolTrailer: UInt64 = 16

  private mutating func notePool(at address: UInt64, left: UInt64, _ table: borrowing BlockTable) {
    guard left > 0, left < Self.poolSize, address > 4096 else { return }
    let node = table.block(containing: address)
    guard node >= 0, UInt64(table.wordCounts[node]) * 8 &- Self.poolSize < 32 else { return }
    let end = table.addresses[node] + Self.poolSize
    guard address + left == end || address + left == end - Self.poolTrailer else { return }
    elements[node] = Int(address - table.addresses[node] + 7) / 8
  }

  /// An element of the cache of types by their names begins with the name's address and its length.
  private mutating func noteNames(_ table: UnsafeRawPointer, _ used: Int, _ blocks: borrowing BlockTable) {
    guard used > 2 else { return }
    for word in 1..<used - 1 {
      let name = table.load(fromByteOffset: word * 8, as: UInt64.self)
      let length = Int(truncatingIfNeeded: table.load(fromByteOffset: word * 8 + 8, as: UInt64.self))
      let node = blocks.block(containing: name)
      guard node >= 0, blocks.addresses[node] == name, length > 0, length <= Int(blocks.wordCounts[node]) * 8,
        Int(blocks.wordCounts[node]) * 8 - length < Self.mallocRemainder
      else { continue }
      elements[node] = (length + 7) / 8
    }
  }

  private mutating func noteEntry(
    at address: UInt64, of metadata: UInt64, _ source: any MemorySource, _ table: borrowing BlockTable
  ) {
    guard metadata > 4096, metadata & 7 == 0, address > 4096 else { return }
    let node = table.block(containing: address)
    guard node >= 0, table.addresses[node] == address, (3...5).contains(table.wordCounts[node]),
      images.contains(metadata),
      let place = source.region(at: address), let bytes = source.bytes(ofRegion: place)
    else { return }
    let block = bytes + Int(address - source.regions[place].addresses.lowerBound)
    let state = block.load(as: UInt32.self)
    guard state <= 255, block.load(fromByteOffset: 8, as: UInt64.self) == metadata else { return }
    elements[node] = 2
  }

  /// Whether a word contains the number of each element once, and nothing else.
  private static func isIndex(_ word: UInt64, of count: Int) -> Bool {
    guard count < 16, word & 15 == 0 else { return false }
    let numbers = stride(from: 4, to: 64, by: 4).map { Int(word >> UInt64($0) & 15) }.filter { $0 > 0 }
    return numbers.count == count && Set(numbers).count == count && numbers.max() == count
  }

  /// The largest elements of the runtime's own tables: a type, a protocol and a witness table
  /// (ConformanceCacheEntry in ProtocolConformance.cpp).
  private static let largestElement = 3

  /// Words in use in a block with room for `capacity` elements. The element size is not stored: it is the largest with
  /// which that many fit after the capacity, of three words if that is possible and the table is the runtime's own. In
  /// a table with an index that has one element, it is a pointer for the instances of a generic type if that fits. Nil
  /// if no size does.
  private static func words(of count: Int, _ capacity: Int, in words: Int, isCore: Bool, isSingle: Bool) -> Int? {
    guard capacity > 0, capacity < words else { return nil }
    let sizes = (1...(words - 1) / capacity).filter { size in
      (0..<mallocRemainder / 8).contains(words - 1 - size * capacity)
    }
    let isPointer = !isCore || isSingle && words == 3
    let largest = isCore ? sizes.last { $0 <= largestElement } ?? sizes.last : sizes.last
    return (isPointer ? sizes.first { $0 == 1 } : largest).map { min(words, 1 + count * $0) }
  }

  /// The number of words that may be references in a block of the runtime's or of libdispatch's; nil for others.
  @inline(__always)
  func wordsInUse(_ node: Int, _ bytes: UnsafeRawPointer, _ words: Int, _ reader: inout MemoryReader) -> Int? {
    if words * 8 > Self.slabHeader, bytes.load(fromByteOffset: 16, as: UInt32.self) != 0,
      let used = slabWords(bytes, words, &reader)
    {
      return used
    }
    if words * 8 >= Self.blockHeader, bytes.load(fromByteOffset: 8, as: UInt32.self) & Self.isCopied != 0,
      let used = copiedWords(bytes, words, &reader)
    {
      return used
    }
    if Self.continuationWords.contains(words), isContinuation(bytes, &reader) { return Self.usedContinuationWords }
    return elements.isEmpty ? nil : elements[node]
  }

  private static let continuationWords = 8..<8 + mallocRemainder / 8, usedContinuationWords = 7
  /// DC_FLAG_ALLOCATED and DC_FLAG_BLOCK; a class has a higher address than all flags.
  private static let isAllocated: UInt64 = 0x100, isBlock: UInt64 = 0x10, flags: UInt64 = 0xFFF

  /// Whether memory is what a queue or a source is to run: for a C block that was copied to the heap, the code is the
  /// block's own, or libdispatch's, which calls it; for a task's job, it is the concurrency library's.
  private func isContinuation(_ bytes: UnsafeRawPointer, _ reader: inout MemoryReader) -> Bool {
    let flags = bytes.load(as: UInt64.self), voucher = bytes.load(fromByteOffset: 24, as: UInt64.self)
    guard flags & Self.isAllocated != 0, flags <= Self.flags, voucher == 0 || voucher == .max else { return false }
    let code = bytes.load(fromByteOffset: 32, as: UInt64.self), block = bytes.load(fromByteOffset: 40, as: UInt64.self)
    guard let image = images.image(at: code) else { return false }
    if flags & Self.isBlock == 0 { return image.path.hasSuffix("/libswift_Concurrency.so") }
    guard block & 7 == 0, let own = reader.word(at: block + 16),
      images.contains(own), reader.half(at: block + 8).map({ $0 & Self.isCopied != 0 }) == true
    else { return false }
    return own == code || image.path.hasSuffix("/libdispatch.so")
  }

  /// Words in use in a C block that was copied to the heap; nil for other memory.
  private func copiedWords(_ bytes: UnsafeRawPointer, _ words: Int, _ reader: inout MemoryReader) -> Int? {
    let descriptor = bytes.load(fromByteOffset: 24, as: UInt64.self)
    guard descriptor & 7 == 0, images.contains(descriptor), reader.word(at: descriptor) == 0,
      let size = reader.word(at: descriptor + 8), size >= Self.blockHeader, size <= words * 8,
      words * 8 - Int(size) < Self.mallocRemainder, images.contains(bytes.load(as: UInt64.self)),
      images.contains(bytes.load(fromByteOffset: 16, as: UInt64.self))
    else { return nil }
    return Int(size + 7) / 8
  }

  func isSlab(_ bytes: UnsafeRawPointer, _ words: Int, _ reader: inout MemoryReader) -> Bool {
    words * 8 > Self.slabHeader && slabWords(bytes, words, &reader) != nil
  }

  private func slabWords(_ bytes: UnsafeRawPointer, _ words: Int, _ reader: inout MemoryReader) -> Int? {
    let capacity = Int(bytes.load(fromByteOffset: 16, as: UInt32.self))
    let used = Int(bytes.load(fromByteOffset: 20, as: UInt32.self))
    guard (0..<Self.mallocRemainder).contains(words * 8 - Self.slabHeader - capacity), used <= capacity, used & 15 == 0
    else {
      return nil
    }
    // The metadata of slabs is a zero variable.
    let metadata = bytes.load(as: UInt64.self)
    guard metadata & 7 == 0, images.contains(metadata), reader.word(at: metadata) == 0 else { return nil }
    return (Self.slabHeader + used) / 8
  }
}
