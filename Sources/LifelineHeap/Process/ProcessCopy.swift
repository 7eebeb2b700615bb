import CPtrace
import Glibc

/// A copy of a process's memory: what it may write, and what it has written in mappings that are now read-only.
///
/// Other bytes come from the mapped files on demand: these are opened while the process is stopped, because afterwards
/// it may be gone, and its file deleted or replaced. For the process's own memory, each mapping is copied on demand.
public final class ProcessCopy: MemorySource {
  public let regions: [MemoryRegion]
  /// Number of bytes copied.
  public private(set) var byteCount = 0
  private let process: pid_t
  private var pointers: [UnsafeMutableRawPointer?]
  /// Memory provided before, as long as it is needed.
  private var room: CopyRoom?
  /// Our own mappings to unmap.
  private var mapped: [(UnsafeMutableRawPointer, Int)] = []
  /// Changed pages of regions that otherwise equal their file.
  private var patches: [Int: [(offset: Int, bytes: [UInt8])]] = [:]
  /// The open files of mappings, by path; nil if another file, or none, has the name now.
  private var files: [String: Int32?] = [:]
  private var isAsked: [Bool]
  private let copiesWhenAsked: Bool

  private static let page: UInt64 = 4096

  /// Copies the calling process, which keeps running: changes by other threads are read as they are at that time.
  ///
  /// - Throws: `HeapError` if the process may not read itself.
  public convenience init() throws {
    try self.init(of: getpid(), copiesWhenAsked: true)
    var word = 0, here = 0
    let count = withUnsafeMutableBytes(of: &here) { from in
      withUnsafeMutableBytes(of: &word) { into in
        var local = iovec(iov_base: into.baseAddress, iov_len: 8)
        var remote = iovec(iov_base: from.baseAddress, iov_len: 8)
        return lifeline_read_process(process, &local, 1, &remote, 1)
      }
    }
    guard count == 8 else {
      throw HeapError(
        "the process cannot read its own memory (process_vm_readv: \(String(cString: strerror(errno))))")
    }
  }

  private init(of process: pid_t, copiesWhenAsked: Bool) throws {
    self.process = process
    self.copiesWhenAsked = copiesWhenAsked
    let pagemap = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    defer { if pagemap >= 0 { close(pagemap) } }
    regions = ProcessMaps.regions(of: Int(process)).flatMap { PageMap.touchedParts(of: $0, pagemap) }
    guard !regions.isEmpty else { throw HeapError("the mappings of the process could not be read") }
    if let large = regions.first(where: PageMap.isUnreadable) {
      let start = String(large.addresses.lowerBound, radix: 16)
      throw HeapError(
        "the process has \(large.addresses.count >> 30) GiB at 0x\(start), and only Linux 6.7 and later say quickly "
          + "which of it is in use")
    }
    pointers = Array(repeating: nil, count: regions.count)
    isAsked = Array(repeating: false, count: regions.count)
  }

  /// The process should be stopped. Excluded ranges read as zero.
  convenience init(process: Int, leavingOut ranges: [Range<UInt64>] = [], into room: CopyRoom? = nil) throws {
    try self.init(of: pid_t(process), copiesWhenAsked: false)
    self.room = room
    defer { self.room = nil }
    let pagemap = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    defer { if pagemap >= 0 { close(pagemap) } }
    let hidden = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    defer { if hidden >= 0 { close(hidden) } }
    for (index, region) in regions.enumerated() where region.isHidden && hidden >= 0 {
      let pages = PageMap.touchedPages(of: region, pagemap)
      if !pages.isEmpty { try copy(index, pages, ranges, from: hidden) }
    }
    for (index, region) in regions.enumerated() where region.isReadable && !Self.isSpecial(region) {
      if region.isWritable || region.inode == 0 {
        try copy(index, PageMap.pages(of: region, pagemap), ranges)
      } else if region.isShared, region.path.hasSuffix(" (deleted)"), region.addresses.count <= 64 << 20 {
        // Its file cannot be read afterwards.
        try copy(index, [region.addresses], ranges)
      } else if !region.isShared {
        if file(of: region) == nil, region.addresses.count <= 1 << 30 {
          try copy(index, [region.addresses], ranges)
        } else {
          keepChanged(index, PageMap.changedPages(of: region, pagemap))
        }
      }
    }
  }

  deinit {
    for (pointer, size) in mapped { munmap(pointer, size) }
    for case let file? in files.values { close(file) }
  }

  /// The file that a region maps, if it still has its name, because a program may be rebuilt while it runs.
  private func file(of region: MemoryRegion) -> Int32? {
    if let known = files[region.path] { return known }
    var file: Int32? = open(region.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    if let opened = file, opened < 0 || fstat(opened, &status) != 0 || UInt64(status.st_ino) != region.inode {
      if opened >= 0 { close(opened) }
      file = nil
    }
    files[region.path] = .some(file)
    return file
  }

  private static func isSpecial(_ region: MemoryRegion) -> Bool {
    let path = region.path
    return path.hasPrefix("[v")
      || path.hasPrefix("/dev/") && !path.hasPrefix("/dev/shm/") && !path.hasPrefix("/dev/zero")
  }

  /// Copies pages of a region, from /proc/PID/mem if given, through which a tracer can read even what the process
  /// itself may not.
  private func copy(
    _ index: Int, _ pages: [Range<UInt64>], _ leftOut: [Range<UInt64>], from hidden: Int32? = nil
  ) throws {
    let range = regions[index].addresses
    let size = Int(range.upperBound - range.lowerBound)
    guard let (memory, reserved) = room?.take(range) ?? CopyRoom.reserve(size).map({ ($0, size) }) else {
      throw HeapError(
        "there was no memory for a copy of the process's \(size >> 20) MiB at 0x\(String(range.lowerBound, radix: 16))")
    }
    mapped.append((memory, reserved))
    pointers[index] = memory
    let kept = leftOut.reduce(pages) { pages, hole in pages.flatMap { $0.without(hole) } }
    let place = { (address: UInt64) in memory + Int(address - range.lowerBound) }
    guard let hidden else { return read(kept, into: place) }
    for pages in kept {
      byteCount += max(0, pread(hidden, place(pages.lowerBound), pages.count, off_t(pages.lowerBound)))
    }
  }

  private func keepChanged(_ index: Int, _ pages: [Range<UInt64>]) {
    let start = regions[index].addresses.lowerBound
    for run in pages {
      var bytes = [UInt8](repeating: 0, count: Int(run.upperBound - run.lowerBound))
      bytes.withUnsafeMutableBytes { buffer in read([run]) { buffer.baseAddress! + Int($0 - run.lowerBound) } }
      patches[index, default: []].append((Int(run.lowerBound - start), bytes))
    }
  }

  /// Reads ranges of pages; pages that cannot be read stay zero.
  private func read(_ ranges: [Range<UInt64>], into place: (UInt64) -> UnsafeMutableRawPointer) {
    for range in ranges {
      var address = range.lowerBound
      while address < range.upperBound {
        let length = min(range.upperBound - address, 1 << 30)
        var local = iovec(iov_base: place(address), iov_len: Int(length))
        var remote = iovec(iov_base: UnsafeMutableRawPointer(bitPattern: UInt(address)), iov_len: Int(length))
        let count = lifeline_read_process(process, &local, 1, &remote, 1)
        if count > 0 {
          byteCount += count
          address += UInt64(count)
        } else {
          address = (address & ~(Self.page - 1)) + Self.page
        }
      }
    }
  }

  public func bytes(ofRegion index: Int) -> UnsafeRawPointer? {
    if let pointer = pointers[index] { return UnsafeRawPointer(pointer) }
    guard !isAsked[index] else { return nil }
    isAsked[index] = true
    let region = regions[index]
    guard region.isReadable, !Self.isSpecial(region) else { return nil }
    if copiesWhenAsked {
      let pagemap = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
      defer { if pagemap >= 0 { close(pagemap) } }
      do { try copy(index, PageMap.pages(of: region, pagemap), []) } catch { return nil }
      return pointers[index].map { UnsafeRawPointer($0) }
    }
    guard region.inode != 0, !region.isWritable else { return nil }
    let size = Int(region.addresses.upperBound - region.addresses.lowerBound)
    guard let memory = CopyRoom.reserve(size) else { return nil }
    mapped.append((memory, size))
    readFile(region, into: memory, size)
    for patch in patches[index] ?? [] {
      patch.bytes.withUnsafeBytes { (memory + patch.offset).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }
    pointers[index] = memory
    return UnsafeRawPointer(memory)
  }

  private func readFile(_ region: MemoryRegion, into memory: UnsafeMutableRawPointer, _ size: Int) {
    guard let file = file(of: region) else { return }
    var done = 0
    while done < size,
      case let count = pread(file, memory + done, size - done, off_t(region.fileOffset) + off_t(done)), count > 0
    { done += count }
  }
}

extension Range<UInt64> {
  /// The rest of a range without another range.
  fileprivate func without(_ hole: Range<UInt64>) -> [Range<UInt64>] {
    guard overlaps(hole) else { return [self] }
    var rest: [Range<UInt64>] = []
    if lowerBound < hole.lowerBound { rest.append(lowerBound..<hole.lowerBound) }
    if hole.upperBound < upperBound { rest.append(hole.upperBound..<upperBound) }
    return rest
  }
}
