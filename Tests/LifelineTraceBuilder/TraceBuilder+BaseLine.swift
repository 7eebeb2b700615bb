import CLifelineFormat

extension TraceBuilder {
  /// Adds nodes of the base line's backtraces: each one's word and the number of its caller, starting at 1.
  public mutating func addBaseNodes(_ nodes: [(address: UInt64, caller: UInt32)]) {
    addBase(
      LIFELINE_BASE_NODES,
      nodes.map { lifeline_base_node(word: $0.address << 2, caller: $0.caller, reserved: 0) })
  }

  public mutating func addBaseObjects(_ objects: [lifeline_base_object]) { addBase(LIFELINE_BASE_OBJECTS, objects) }

  /// Adds the number of allocated objects by class, and for class 0 the number of dropped events. `others` fills the
  /// inactive side.
  public mutating func addBaseTotals(_ allocated: [Int: UInt64], others: UInt64 = 999) {
    var totals = Array(repeating: lifeline_base_totals(), count: (allocated.keys.max() ?? 0) + 1)
    for (id, count) in allocated { totals[id].allocated = fold >> 32 & 1 == 0 ? (count, others) : (others, count) }
    addBase(LIFELINE_BASE_TOTALS, totals)
  }

  public mutating func addBaseFindings(_ findings: [lifeline_base_finding]) {
    addBase(LIFELINE_BASE_FINDINGS, findings)
  }

  private mutating func addBase<Item: BitwiseCopyable>(_ sort: UInt32, _ items: [Item]) {
    addChunk(magic: LIFELINE_BASE_CHUNK, stream: sort, contents: items.withUnsafeBytes { Array($0) })
  }
}

extension lifeline_base_object {
  public init(
    at address: UInt64, classID: UInt32, number: UInt32, born birth: UInt64, changed: UInt64, count: UInt32 = 1,
    state: UInt32 = LIFELINE_BASE_LIVE, thread: UInt32 = 1, backtrace: UInt32 = 0, endThread: UInt32 = 0,
    endBacktrace: UInt32 = 0
  ) {
    self.init()
    self.address = address
    self.birth = birth
    self.changed = changed
    class_id = classID
    self.number = number
    self.count = count + 1
    self.state = state
    self.thread = thread
    self.backtrace = backtrace
    end_thread = endThread
    end_backtrace = endBacktrace
  }
}
