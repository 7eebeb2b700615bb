/// Finds the words outside of the heap that point into it.
struct RootScan {
  private(set) var roots: [HeapRoot] = []
  private(set) var places = [HeapPlace()]
  private let memory: HeapMemory
  private let images: ImageMap
  private let regions: [MemoryRegion]
  private let stacks: ThreadStacks
  /// For each node a bit for each kind of root already found.
  private var known: [UInt8]

  init(_ memory: HeapMemory, _ images: ImageMap, count: Int) {
    self.memory = memory
    self.images = images
    regions = memory.source.regions
    stacks = ThreadStacks(memory)
    known = Array(repeating: 0, count: count)
  }

  mutating func add(_ kind: HeapRoot.Kind, _ node: Int, at address: UInt64, place: Int) {
    guard known[node] & 1 << kind.rawValue == 0 else { return }
    known[node] |= 1 << kind.rawValue
    roots.append(HeapRoot(kind: kind, target: node, address: address, place: place))
  }

  /// Searches everything except the given areas, which are the heap's or the recorder's.
  mutating func scan(outside areas: [Range<UInt64>], _ table: borrowing BlockTable) {
    for index in regions.indices where isProcessesOwn(index) {
      guard let bytes = memory.source.bytes(ofRegion: index) else { continue }
      for range in ranges(of: index, outside: areas) { scan(range, of: index, bytes, table) }
    }
    for thread in memory.threads {
      let registers = registers(of: thread)
      if registers.isEmpty { continue }
      let place = addPlace(HeapPlace(name: thread.name, base: UInt64(thread.id)))
      for word in registers {
        let node = table.block(of: word)
        if node >= 0 { add(.register, node, at: 0, place: place) }
      }
    }
    for word in memory.kernelWords {
      let node = table.block(of: word)
      if node >= 0 { add(.queue, node, at: 0, place: 0) }
    }
  }

  /// The registers of a thread that count: those of the program's functions.
  private func registers(of thread: StoppedThread) -> [UInt64] {
    if thread.id == memory.recorder.thread { return memory.recorder.exitRegisters }
    return memory.idle[thread.id] == nil ? thread.registers : []
  }

  /// The words in registers that count.
  var registers: [UInt64] { memory.threads.flatMap(registers) }

  /// Whether a region is memory that the process itself wrote.
  func isProcessesOwn(_ index: Int) -> Bool {
    let region = regions[index]
    return region.isHidden || region.isReadable && (region.isWritable || region.inode == 0)
  }

  /// Whether a region is a shared file mapped for reading, and not a program or library; a large one is a database.
  func isReadFile(_ index: Int) -> Bool {
    let region = regions[index]
    return region.isReadable && !region.isWritable && region.isShared && region.inode != 0
      && images.imageOfRegion[index] < 0 && region.addresses.count <= 64 << 20
  }

  func isStack(_ index: Int) -> Bool { stacks.thread(of: index) != nil }

  /// The live part of a region, without the given areas, which are the heap's or the recorder's.
  func ranges(of index: Int, outside areas: [Range<UInt64>]) -> [Range<UInt64>] {
    guard !isRecorders(index) else { return [] }
    let (image, rest) = images.parts(ofRegion: index, regions[index].addresses)
    let parts = stacks.livingParts(of: index) ?? (isRecordersImage(index) ? [rest] : [image, rest])
    return parts.flatMap { Self.without(areas, $0) }
  }

  private mutating func scan(
    _ range: Range<UInt64>, of index: Int, _ bytes: UnsafeRawPointer, _ table: borrowing BlockTable
  ) {
    var place = -1
    let start = regions[index].addresses.lowerBound
    var address = (range.lowerBound + 7) & ~7
    while address + 8 <= range.upperBound {
      let word = bytes.load(fromByteOffset: Int(address - start), as: UInt64.self)
      if word >= 4096 {
        let node = table.block(of: word)
        if node >= 0 {
          let kind = kind(of: address, in: index)
          if place < 0 { place = addPlace(self.place(of: index, at: address)) }
          add(kind, node, at: address, place: place)
        }
      }
      address += 8
    }
  }

  /// Searches the writable data of the program's own images, and keeps each word that points to a node.
  mutating func scanOwnImages(_ table: borrowing BlockTable) {
    var last = -1, place = 0
    images.forEachOwnWord(memory.source) { index, address, word in
      let node = table.block(of: word)
      guard node >= 0 else { return }
      if index != last { (last, place) = (index, addPlace(self.place(of: index, at: address))) }
      roots.append(HeapRoot(kind: .global, target: node, address: address, place: place))
    }
  }

  private func kind(of address: UInt64, in index: Int) -> HeapRoot.Kind {
    if let thread = stacks.thread(of: index) {
      return address >= thread.controlBlock &- 1024 && thread.controlBlock >= regions[index].addresses.lowerBound
        && thread.controlBlock < regions[index].addresses.upperBound ? .threadLocal : .stack
    }
    if images.contains(address) { return .global }
    return stacks.isThreadLocal(index) ? .threadLocal : .memory
  }

  private func place(of index: Int, at address: UInt64) -> HeapPlace {
    if let thread = stacks.thread(of: index) { return HeapPlace(name: thread.name, base: UInt64(thread.id)) }
    if let image = images.image(at: address) { return HeapPlace(name: image.path, base: image.base) }
    return HeapPlace(name: regions[index].path, base: regions[index].addresses.lowerBound)
  }

  mutating func addPlace(_ place: HeapPlace) -> Int {
    if let known = places.firstIndex(of: place) { return known }
    places.append(place)
    return places.count - 1
  }

  private func isRecorders(_ index: Int) -> Bool {
    let path = regions[index].path
    // A freed object's pages are unreadable, and what it held is no longer held.
    if regions[index].isHidden, memory.recorder.guards?.overlaps(regions[index].addresses) == true { return true }
    return !memory.recorder.trace.isEmpty && path == memory.recorder.trace
  }

  private func isRecordersImage(_ index: Int) -> Bool {
    let image = images.imageOfRegion[index]
    return image >= 0 && images.images[image].isRecorder
  }

  /// The rest of a range without the areas, which are ascending.
  static func without(_ areas: [Range<UInt64>], _ range: Range<UInt64>) -> [Range<UInt64>] {
    var rest: [Range<UInt64>] = []
    var start = range.lowerBound
    for area in areas where area.upperBound > start && area.lowerBound < range.upperBound {
      if area.lowerBound > start { rest.append(start..<area.lowerBound) }
      start = max(start, area.upperBound)
      if start >= range.upperBound { return rest }
    }
    if start < range.upperBound { rest.append(start..<range.upperBound) }
    return rest
  }
}
