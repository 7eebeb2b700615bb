import CLifelineFormat

/// Objects that the recorder put on separate pages; its table (`lifeline_guard_owner`) has the start of each.
struct GuardedObjects {
  private(set) var objects: [(address: UInt64, size: Int)] = []
  /// The pages that are in use.
  private(set) var areas: [Range<UInt64>] = []

  init(_ memory: HeapMemory) {
    guard let range = memory.recorder.guards else { return }
    let stride = MemoryLayout<lifeline_guard_owner>.stride
    var reader = MemoryReader(memory.source)
    var page = 0
    while page < memory.recorder.guardPages {
      guard let bytes = reader.bytes(at: memory.recorder.guardOwners + UInt64(page * stride)), bytes.count >= stride
      else { return }
      let owner = bytes.loadUnaligned(as: lifeline_guard_owner.self)
      let start = range.lowerBound + UInt64(page) * 4096
      let end = start + UInt64(max(owner.pages, 1)) * 4096
      if owner.pages > 0, owner.freed == 0, owner.object >= start, owner.object < end {
        objects.append((owner.object, min(Int(owner.usable), Int(end - owner.object))))
        areas.append(start..<end)
      }
      page += Int(max(owner.pages, 1))
    }
  }
}
