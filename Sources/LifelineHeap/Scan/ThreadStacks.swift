/// Which mappings are stacks, and which part of them is live.
struct ThreadStacks {
  private var parts: [Int: [Range<UInt64>]] = [:]
  private var threads: [Int: StoppedThread] = [:]
  private var localRegions: Set<Int> = []
  private static let redZone: UInt64 = 128
  /// Bytes of struct pthread.
  private static let controlBlockSize: UInt64 = 0x900

  init(_ memory: HeapMemory) {
    let source = memory.source
    let regions = source.regions
    var reader = MemoryReader(source)
    for thread in memory.threads {
      let isAsking = thread.id == memory.recorder.thread && memory.recorder.stackPointer != 0
      let pointer = isAsking ? memory.recorder.stackPointer : thread.stackPointer
      if let local = source.region(at: thread.controlBlock) { localRegions.insert(local) }
      guard let index = source.region(at: pointer) else { continue }
      threads[index] = thread
      guard Self.isStackOnly(index, regions, controlBlock: thread.controlBlock, &reader) else { continue }
      let range = regions[index].addresses
      var begin = max(range.lowerBound, (isAsking ? pointer : pointer &- Self.redZone) & ~7)
      if let outermost = memory.idle[thread.id], !isAsking {
        let last = max(begin, min(thread.controlBlock, range.upperBound))
        begin = Self.end(ofFramesTo: outermost, begin..<last, &reader) ?? begin
      }
      let other = parts[index]?.first?.lowerBound ?? .max
      parts[index] = [min(begin, other)..<range.upperBound]
    }
    guard let offset = Self.threadNumberOffset(memory.threads, &reader) else { return }
    for (index, region) in regions.enumerated()
    where threads[index] == nil && region.isAnonymous && region.isWritable && region.path.isEmpty
      && Self.beginsBehindGuard(index, regions)
    {
      // The kernel clears the ID of a thread that ends, and joining it sets it to −1.
      guard let block = Self.controlBlock(atEndOf: region.addresses, &reader),
        let number = reader.half(at: block + offset),
        number == 0 || number == .max, Self.isStackOnly(index, regions, controlBlock: block, &reader)
      else { continue }
      // A stack that waits for the next thread. A thread about to begin has its arguments in its control block. What
      // follows it may be other memory that the kernel merged with the stack's mapping.
      let hasEnded = Self.hasEnded(block, threadNumber: offset, &reader)
      let end = region.addresses.upperBound
      parts[index] = [min(hasEnded ? (block + Self.controlBlockSize + 4095) & ~4095 : block, end)..<end]
    }
  }

  /// The end of a stack's frames: after the word that points to the outermost one.
  private static func end(
    ofFramesTo outermost: UInt64, _ stack: Range<UInt64>, _ reader: inout MemoryReader
  ) -> UInt64? {
    var address = stack.upperBound & ~7
    while address >= stack.lowerBound + 8 {
      address -= 8
      if reader.word(at: address) == outermost { return address + 8 }
    }
    return nil
  }

  /// The live parts of a region, nil if it is not a stack.
  func livingParts(of region: Int) -> [Range<UInt64>]? { parts[region] }
  /// The thread whose stack is in a region.
  func thread(of region: Int) -> StoppedThread? { threads[region] }
  /// Whether a region contains a thread's control block.
  func isThreadLocal(_ region: Int) -> Bool { localRegions.contains(region) }

  /// Whether a mapping below the control block is only a stack, because the system allocated it for that thread. Other
  /// mappings may contain more, such as the stack of a coroutine, or one that the program provided.
  private static func isStackOnly(
    _ index: Int, _ regions: [MemoryRegion], controlBlock: UInt64, _ reader: inout MemoryReader
  ) -> Bool {
    guard beginsBehindGuard(index, regions) else { return false }
    if regions[index].path == "[stack]" { return true }
    guard regions[index].addresses.contains(controlBlock) else { return false }
    // The control block has the stack's lowest address, which is that of its guard page (`stackblock` of glibc).
    let guardPages = regions[index - 1].addresses
    return stride(from: controlBlock, to: controlBlock + controlBlockSize, by: 8).contains { address in
      reader.word(at: address).map(guardPages.contains) ?? false
    }
  }

  private static func beginsBehindGuard(_ index: Int, _ regions: [MemoryRegion]) -> Bool {
    if regions[index].path == "[stack]" { return true }
    guard index > 0, regions[index].isAnonymous else { return false }
    let before = regions[index - 1]
    return before.addresses.upperBound == regions[index].addresses.lowerBound && !before.isReadable
      && !before.isWritable
  }

  /// The offset of a thread's kernel ID in its control block, which is the same in all live threads.
  private static func threadNumberOffset(_ threads: [StoppedThread], _ reader: inout MemoryReader) -> UInt64? {
    guard !threads.isEmpty else { return nil }
    return stride(from: UInt64(0x100), to: 0x800, by: 4).first { offset in
      threads.allSatisfy { reader.half(at: $0.controlBlock &+ offset) == UInt32(truncatingIfNeeded: $0.id) }
    }
  }

  /// Whether a control block is marked as that of a finished thread: bits 4 and 5 of `cancelhandling`, a word within 96
  /// bytes of the thread's ID that is 0 in a thread that has not begun.
  private static func hasEnded(_ block: UInt64, threadNumber: UInt64, _ reader: inout MemoryReader) -> Bool {
    stride(from: threadNumber + 4, to: threadNumber + 96, by: 4).contains { offset in
      reader.half(at: block + offset).map { $0 & 0x30 == 0x30 && $0 < 0x80 } ?? false
    }
  }

  /// struct pthread begins with its own address, twice, and is at the end of the stack's mapping.
  private static func controlBlock(atEndOf range: Range<UInt64>, _ reader: inout MemoryReader) -> UInt64? {
    var address = (range.upperBound - 0x400) & ~63
    let lowest = max(range.lowerBound, range.upperBound &- 0x4000)
    while address >= lowest {
      if reader.word(at: address) == address, reader.word(at: address + 16) == address { return address }
      address -= 64
    }
    return nil
  }
}
