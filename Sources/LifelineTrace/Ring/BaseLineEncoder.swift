import CLifelineFormat

/// Encodes the base line as events, which readers then read like any others: allocations and, for freed objects, ends,
/// each at its own time; what the probe caught; and at the horizon the count of each live object, as an event of kind
/// `base`.
struct BaseLineEncoder {
  /// The stream of these events, which is not in any file.
  static let stream: UInt32 = 0

  private struct Entry {
    let clock: UInt64
    /// The order of events at the same time: allocations, findings, ends, counts.
    let rank: Int
    let kind: EventKind
    let object: UInt64
    let thread: UInt32
    let backtrace: UInt32
    var count: UInt64 = 0
    var arguments: [UInt64] = []
  }

  private let classes: [Int: ClassRecord]
  private let chunkSize: Int
  private let backtraces: BacktraceTable
  private(set) var chunks: [Chunk] = []
  private(set) var bytes: [UInt8] = []

  private var contents: [UInt8] = []
  private var events = 0
  private var thread: UInt32 = 0
  private var chunkThread: UInt32 = 0
  private var first: UInt64 = 0
  private var clock: UInt64 = 0
  private var lastObject: UInt64 = 0
  private var lastSite: UInt64 = 0
  private var sites: [UInt64: UInt64] = [:]
  private var stack: [UInt64] = []

  /// Encodes a base line, and records in it what the events are. Counts of objects whose class has no retains are
  /// unknown.
  init(_ baseLine: inout BaseLine, chunkSize: Int, keepsFreed: Bool, classes: [Int: ClassRecord], hasCounts: Bool) {
    self.classes = classes
    func isCounted(_ classID: UInt32) -> Bool { hasCounts && classes[Int(classID)]?.isCounted == true }
    self.chunkSize = chunkSize
    backtraces = baseLine.backtraces
    let horizon = baseLine.horizon
    let known = baseLine.objects.values
      .filter { $0.isKnown && $0.birth <= horizon && (keepsFreed || $0.state != .freed) }
      .sorted { ($0.birth, $0.number, $0.address) < ($1.birth, $1.number, $1.address) }
    var entries: [Entry] = []
    for object in known {
      entries.append(
        Entry(
          clock: object.birth, rank: 0, kind: .allocate, object: object.address, thread: object.thread,
          backtrace: object.backtrace, arguments: [UInt64(object.classID), UInt64(object.size)]))
      let end = min(max(object.changed, object.birth), horizon)
      switch object.state {
      case .live:
        entries.append(
          Entry(
            clock: horizon, rank: 3, kind: .base, object: object.address,
            thread: object.thread, backtrace: 0, count: isCounted(object.classID) ? UInt64(object.count) : 0))
      case .deinited:
        entries.append(
          Entry(clock: end, rank: 2, kind: .deallocate, object: object.address, thread: object.thread, backtrace: 0))
      case .freed:
        entries.append(
          Entry(
            clock: end, rank: 2, kind: .free, object: object.address, thread: object.endThread,
            backtrace: object.endBacktrace))
      }
    }
    for finding in baseLine.findings where finding.clock <= horizon {
      entries.append(
        Entry(
          clock: finding.clock, rank: 1, kind: finding.kind, object: finding.object, thread: finding.thread,
          backtrace: finding.backtrace, arguments: finding.arguments))
    }
    number(known, &baseLine)
    // Equal entries stay in the order of allocation, so that the order does not depend on a table's.
    let order = entries.indices.sorted {
      (entries[$0].clock, entries[$0].rank, $0) < (entries[$1].clock, entries[$1].rank, $1)
    }
    for index in order {
      baseLine.eventCounts[Int(entries[index].kind.rawValue)] += 1
      if add(entries[index]) { baseLine.eventCounts[Int(EventKind.thread.rawValue)] += 1 }
    }
    finish()
  }

  /// The recorder counts the objects of each class record. If several have one name, the remaining objects get the last
  /// numbers of that name.
  private func number(_ known: [BaseLine.Object], _ baseLine: inout BaseLine) {
    baseLine.unseen = baseLine.allocated
    for object in known {
      let left = baseLine.unseen[Int(object.classID)] ?? 0
      baseLine.unseen[Int(object.classID)] = left == 0 ? 0 : left - 1
    }
    let names = Dictionary(grouping: baseLine.allocated.keys) { classes[$0]?.name ?? "(class \($0))" }
    var next: [Int: UInt64] = [:]
    for ids in names.values where ids.count > 1 {
      for id in ids { next[id] = ids.reduce(0) { $0 &+ (baseLine.unseen[$1] ?? 0) } }
    }
    let shared = Dictionary(
      names.filter { $0.value.count > 1 }.flatMap { name in name.value.map { ($0, name.value.min()!) } }
    ) {
      first, _ in first
    }
    for object in known {
      guard let name = shared[Int(object.classID)] else {
        baseLine.numbers.append(object.number)
        continue
      }
      next[name]! &+= 1
      baseLine.numbers.append(UInt32(truncatingIfNeeded: next[name]!))
    }
  }

  /// Returns whether the thread had to be named.
  private mutating func add(_ entry: Entry) -> Bool {
    // Tags, kinds and arguments need at most 128 bytes, each site 21.
    let room = chunkSize - Int(LIFELINE_CHUNK_HEADER_SIZE) - 128
    let sites = backtraces.entries(BacktraceID(rawValue: entry.backtrace)).prefix(room / 21)
    let path = sites.reversed().map(\.word)
    if contents.isEmpty || room - contents.count < 21 * path.count {
      finish()
      begin(entry)
    }
    let changesThread = entry.thread != thread
    if changesThread {
      put(.thread, time: entry.clock)
      append(UInt64(entry.thread))
      thread = entry.thread
      stack = []
    }
    let info = lifeline_kind(UInt32(entry.kind.rawValue))
    let isSame = entry.object == lastObject
    put(
      entry.kind, time: entry.clock,
      flags: LIFELINE_EVENT_BACKTRACE | (isSame ? LIFELINE_EVENT_SAME_OBJECT : 0)
        | (info.has_count != 0 ? LIFELINE_EVENT_COUNT : 0))
    if !isSame {
      let distance = Int64(bitPattern: entry.object &- lastObject) / 8
      let value = UInt64(bitPattern: distance << 1 ^ distance >> 63)
      contents.append(UInt8(0x80 | value & 63 | (value > 63 ? 0x40 : 0)))
      if value > 63 { append(value >> 6) }
      lastObject = entry.object
    }
    if info.has_count != 0 { append(entry.count) }
    for argument in entry.arguments { append(argument) }
    change(to: path)
    return changesThread
  }

  private mutating func begin(_ entry: Entry) {
    first = entry.clock
    clock = entry.clock
    chunkThread = entry.thread
    thread = entry.thread
    lastObject = 0
    lastSite = 0
    sites = [:]
    stack = []
    events = 0
  }

  private mutating func put(_ kind: EventKind, time: UInt64, flags: UInt32 = 0) {
    let isExtended = UInt32(kind.rawValue) >= LIFELINE_EVENT_EXTENDED
    let number = isExtended ? LIFELINE_EVENT_EXTENDED : UInt32(kind.rawValue)
    contents.append(UInt8(number | flags | LIFELINE_EVENT_TIME))
    if isExtended { contents.append(kind.rawValue) }
    append(time - clock)
    clock = time
    events += 1
  }

  private mutating func change(to path: [UInt64]) {
    var common = 0
    while common < min(path.count, stack.count), path[common] == stack[common] { common += 1 }
    let pops = stack.count - common
    let pushes = path.count - common
    contents.append(UInt8(min(pops, 15) << 4 | min(pushes, 15)))
    if pops >= 15 { append(UInt64(pops)) }
    if pushes >= 15 { append(UInt64(pushes)) }
    for word in path[common...] {
      if let number = sites[word] {
        append(number)
      } else {
        sites[word] = UInt64(sites.count + 1)
        let distance = Int64(bitPattern: word &- lastSite)
        append(0)
        append(UInt64(bitPattern: distance << 1 ^ distance >> 63))
        lastSite = word
      }
    }
    stack = path
  }

  private mutating func append(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      contents.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    contents.append(UInt8(value))
  }

  private mutating func finish() {
    guard !contents.isEmpty else { return }
    var header = lifeline_chunk_header()
    header.magic = LIFELINE_EVENT_CHUNK
    header.stream = Self.stream
    header.sequence = UInt64(chunks.count)
    header.thread = chunkThread
    header.first_clock = first
    header.last_clock = clock
    header.events = UInt32(events)
    header.length = UInt32(Int(LIFELINE_CHUNK_HEADER_SIZE) + contents.count)
    header.checksum = contents.withUnsafeBytes { lifeline_sum($0.baseAddress, UInt64($0.count)) }
    header.sealed = 1
    header.header_checksum = lifeline_sum(&header, UInt64(LIFELINE_CHUNK_HEADER_SUMMED))
    if let chunk = Chunk(header, offset: Int64(bytes.count), chunkSize: chunkSize) { chunks.append(chunk) }
    bytes += withUnsafeBytes(of: header) { Array($0) } + contents
    contents = []
  }
}
