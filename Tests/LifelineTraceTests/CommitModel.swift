/// A model of how the probe writes a trace, small enough to try every interleaving.
///
/// Threads run programs of stores, atomic instructions and loads on shared cells. The memory order is that of x86
/// (TSO): a store waits in its thread's FIFO buffer, and an atomic instruction waits until its own buffer is empty. In
/// every reachable state a reader looks at memory as it is (a live trace) and as it is once all buffers have drained
/// (the process was killed there: executed instructions take effect, others do not). Every cell that a reader looks at
/// is written once, so a slow reader sees no less.
struct CommitModel {
  enum Instruction: Hashable {
    case store(cell: Int, value: Int)
    /// A store into the chunk that register 0 names.
    case put(field: Int, value: Int)
    /// The store that commits an event.
    case commit(field: Int, event: Int)
    /// register 0 = chunks++
    case claim
    /// Waits until the cell is 0 and makes it 1.
    case lock(cell: Int)
    case load(register: Int, cell: Int)
    /// Waits until the cell is not 0; register 0 = its value - 1.
    case take(cell: Int)
    /// cell = register + 1
    case give(register: Int, cell: Int)
    /// A store into the record that register 1 names: its contents, or the kind that commits it.
    case record(value: Int)
    case commitRecord(value: Int)
  }

  // Cells. A chunk has magic, stream, sequence + 1, sealed, length, sum, then a tag and a payload for each of two
  // events.
  static let chunks = 0, pool = 1, handed = 2, recordLock = 3, nextRecord = 4, records = 10, firstChunk = 20,
    chunkSize = 10
  static let magic = 0, stream = 1, sequence = 2, sealed = 3, length = 4, sum = 5
  static func tag(_ slot: Int) -> Int { 6 + 2 * slot }
  static func payload(_ slot: Int) -> Int { 7 + 2 * slot }

  struct Violation: Error, CustomStringConvertible { let description: String }

  private struct Write: Hashable { let cell: Int, value: Int }

  private struct State: Hashable {
    var memory: [Int]
    var positions: [Int]
    var registers: [[Int]]
    var buffers: [[Write]]
    /// Events and records whose committing store was executed, in order.
    var events: [[Int]]
    var committed: Set<Int> = []
  }

  /// The maximum number of stores waiting in a buffer.
  private static let bufferLimit = 3

  let programs: [[Instruction]]
  /// The stream that each thread's events belong to.
  let streams: [Int]

  /// The number of reachable states.
  ///
  /// - Throws: `Violation` for the first state in which a reader sees too much or too little.
  func check() throws -> Int {
    let start = State(
      memory: Array(repeating: 0, count: Self.firstChunk + 4 * Self.chunkSize), positions: programs.map { _ in 0 },
      registers: programs.map { _ in [0, 0] }, buffers: programs.map { _ in [] },
      events: Array(repeating: [], count: streams.max()! + 1))
    var seen: Set<State> = [start]
    var open = [start]
    while let state = open.popLast() {
      try look(state)
      for next in successors(state) where seen.insert(next).inserted { open.append(next) }
    }
    return seen.count
  }

  private func successors(_ state: State) -> [State] {
    var result: [State] = []
    for thread in programs.indices {
      if let write = state.buffers[thread].first {
        var next = state
        next.buffers[thread].removeFirst()
        next.memory[write.cell] = write.value
        result.append(next)
      }
      if let next = step(state, thread) { result.append(next) }
    }
    return result
  }

  private func step(_ state: State, _ thread: Int) -> State? {
    guard state.positions[thread] < programs[thread].count else { return nil }
    var next = state
    next.positions[thread] += 1
    let chunk = Self.firstChunk + state.registers[thread][0] * Self.chunkSize
    let record = Self.records + 2 * state.registers[thread][1]
    var write: Write?
    switch programs[thread][state.positions[thread]] {
    case .store(let cell, let value): write = Write(cell: cell, value: value)
    case .put(let field, let value): write = Write(cell: chunk + field, value: value)
    case .commit(let field, let event):
      write = Write(cell: chunk + field, value: event)
      next.events[streams[thread]].append(event)
    case .record(let value): write = Write(cell: record + 1, value: value)
    case .commitRecord(let value):
      write = Write(cell: record, value: value)
      next.committed.insert(value)
    case .give(let register, let cell): write = Write(cell: cell, value: state.registers[thread][register] + 1)
    case .load(let register, let cell): next.registers[thread][register] = visible(state, thread, cell)
    case .take(let cell):
      guard visible(state, thread, cell) != 0 else { return nil }
      next.registers[thread][0] = visible(state, thread, cell) - 1
    case .claim:
      guard state.buffers[thread].isEmpty else { return nil }
      next.registers[thread][0] = state.memory[Self.chunks]
      next.memory[Self.chunks] += 1
    case .lock(let cell):
      guard state.buffers[thread].isEmpty, state.memory[cell] == 0 else { return nil }
      next.memory[cell] = 1
    }
    if let write {
      guard state.buffers[thread].count < Self.bufferLimit else { return nil }
      next.buffers[thread].append(write)
    }
    return next
  }

  /// The value that a thread reads: its own latest store, or else memory.
  private func visible(_ state: State, _ thread: Int, _ cell: Int) -> Int {
    state.buffers[thread].last { $0.cell == cell }?.value ?? state.memory[cell]
  }

  private func look(_ state: State) throws {
    for stream in Set(streams) {
      let live = try Self.events(of: stream, in: state.memory)
      guard state.events[stream].starts(with: live) else {
        throw Violation(description: "a live reader sees \(live) where \(state.events[stream]) were committed")
      }
    }
    _ = try Self.records(in: state.memory)
    var memory = state.memory
    for write in state.buffers.joined() { memory[write.cell] = write.value }
    for stream in Set(streams) {
      let left = try Self.events(of: stream, in: memory)
      guard left == state.events[stream] else {
        throw Violation(description: "after a kill \(left) is left of the events \(state.events[stream])")
      }
    }
    let left = try Self.records(in: memory)
    guard left == state.committed else {
      throw Violation(description: "after a kill \(left.sorted()) is left of the records \(state.committed.sorted())")
    }
  }

  /// How the reader interprets a stream: `ChunkIndex`, `Chunk` and `StreamDecoder` in a few lines.
  private static func events(of stream: Int, in memory: [Int]) throws -> [Int] {
    var result: [(sequence: Int, events: [Int])] = []
    for start in Swift.stride(from: firstChunk, to: memory.count, by: chunkSize) where memory[start + magic] != 0 {
      guard memory[start + Self.stream] != 0, memory[start + sequence] != 0 else {
        throw Violation(description: "a chunk has its magic number but not its header")
      }
      guard memory[start + Self.stream] == stream else { continue }
      let isSealed = memory[start + sealed] == 1
      if isSealed, memory[start + length] == 0 || memory[start + sum] != memory[start + length] * 7 {
        throw Violation(description: "a sealed chunk has no length or a wrong sum")
      }
      var events: [Int] = []
      for slot in 0..<2 {
        let tag = memory[start + Self.tag(slot)]
        if tag == 0 { break }
        guard memory[start + payload(slot)] == tag else {
          throw Violation(description: "event \(tag) has its tag but not its fields")
        }
        events.append(tag)
      }
      if isSealed, events.count != memory[start + length] {
        throw Violation(description: "a sealed chunk lacks an event")
      }
      result.append((memory[start + sequence], events))
    }
    return result.sorted { $0.sequence < $1.sequence }.flatMap(\.events)
  }

  private static func records(in memory: [Int]) throws -> Set<Int> {
    var result: Set<Int> = []
    for start in Swift.stride(from: records, to: firstChunk, by: 2) {
      if memory[start] == 0 { break }
      guard memory[start + 1] == memory[start] else {
        throw Violation(description: "record \(memory[start]) has its kind but not its contents")
      }
      result.insert(memory[start])
    }
    return result
  }
}
