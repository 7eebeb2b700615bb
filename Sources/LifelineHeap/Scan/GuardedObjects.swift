/// Objects that the recorder put on pages of their own: its table says where each begins.
struct GuardedObjects {
  private(set) var objects: [(address: UInt64, size: Int)] = []
  /// The pages that are in use.
  private(set) var areas: [Range<UInt64>] = []

  init(_ memory: HeapMemory) {
    guard let range = memory.recorder.guards else { return }
    var reader = MemoryReader(memory.source)
    var page = 0
    while page < memory.recorder.guardPages {
      // struct owner of guard.c: object, metadata, pages, freed.
      let entry = memory.recorder.guardOwners + UInt64(page) * 24
      guard let object = reader.word(at: entry), let pages = reader.half(at: entry + 16),
        let freed = reader.half(at: entry + 20)
      else { return }
      let start = range.lowerBound + UInt64(page) * 4096
      let end = start + UInt64(max(pages, 1)) * 4096
      if pages > 0, freed & 0xFF == 0, object >= start, object < end {
        objects.append((object, Int(end - object)))
        areas.append(start..<end)
      }
      page += Int(max(pages, 1))
    }
  }
}
