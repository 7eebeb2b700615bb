/// Code of the program's own that threads may be running: where their stacks and registers point.
///
/// A stack also has return addresses of calls that are over, so these are more than the calls. It also has addresses of
/// functions, and the kernel's of the program's headers and entry point (getauxval(3)), which are none.
struct RunningCode {
  /// For each thread, ascending and each once.
  let threads: [[UInt64]]

  private static let stackLimit: UInt64 = 8 << 20

  /// Without the thread that asked, whose calls are known, and those that wait for work.
  init(_ memory: HeapMemory, _ images: ImageMap) {
    let source = memory.source
    let code = source.regions.indices.filter { index in
      let image = images.imageOfRegion[index]
      return source.regions[index].isExecutable && image >= 0 && images.images[image].isOwn
    }.map { source.regions[$0].addresses }
    var reader = MemoryReader(source)
    let all = (code.first?.lowerBound ?? 0)..<(code.last?.upperBound ?? 0)
    threads = memory.threads.compactMap { thread in
      guard thread.id != memory.recorder.thread, memory.idle[thread.id] == nil else { return nil }
      func isCode(_ word: UInt64) -> Bool { all.contains(word) && code.contains { $0.contains(word) } }
      var found = Set([thread.instructionPointer].compactMap { $0 }.filter(isCode))
      func look(_ word: UInt64) {
        if isCode(word), !found.contains(word), Self.isReturnAddress(word, &reader) { found.insert(word) }
      }
      thread.registers.forEach(look)
      if let index = source.region(at: thread.stackPointer), let bytes = source.bytes(ofRegion: index) {
        let stack = source.regions[index].addresses
        let end = min(stack.upperBound, (thread.stackPointer & ~7) + Self.stackLimit)
        for address in stride(from: thread.stackPointer & ~7, to: end & ~7, by: 8) {
          look(bytes.load(fromByteOffset: Int(address - stack.lowerBound), as: UInt64.self))
        }
      }
      return found.isEmpty ? nil : found.sorted()
    }
  }

  /// Whether a call may end at an address: one of a relative address (E8) or, of any length, of a register or memory
  /// (FF /2); true if the code cannot be read (Intel 64 manual, volume 2, "CALL").
  private static func isReturnAddress(_ address: UInt64, _ reader: inout MemoryReader) -> Bool {
    #if arch(x86_64)
    guard address >= 8, let bytes = reader.bytes(at: address - 7), bytes.count >= 7 else { return true }
    return bytes[2] == 0xE8 || (0...5).contains { bytes[$0] == 0xFF && bytes[$0 + 1] >> 3 & 7 == 2 }
    #else
    return true
    #endif
  }
}
