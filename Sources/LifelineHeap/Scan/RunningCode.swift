/// Code of the program's own that threads may be running: where their stacks and registers point.
///
/// Not every such word is a return address, so these are more than the calls.
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
    let all = (code.first?.lowerBound ?? 0)..<(code.last?.upperBound ?? 0)
    threads = memory.threads.compactMap { thread in
      guard thread.id != memory.recorder.thread, memory.idle[thread.id] == nil else { return nil }
      var found: Set<UInt64> = []
      func look(_ word: UInt64) {
        if all.contains(word), code.contains(where: { $0.contains(word) }) { found.insert(word) }
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
}
