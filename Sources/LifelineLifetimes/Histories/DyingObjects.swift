/// The objects whose deinit is running, by thread.
///
/// Threads have numbers, so that the events of one thread in a row cost no look-up.
struct DyingObjects {
  private struct Thread {
    /// Innermost last.
    var objects: [UInt64] = []
    /// Those of them whose history is collected: their index in `objects`, and the history.
    var collected: [(depth: Int, history: Int)] = []
  }

  private var threads: [Thread] = []
  private var numbers: [UInt32: Int] = [:]
  private var last: (thread: UInt32, number: Int)?
  /// Entries of all threads' `collected`.
  private var collected = 0

  /// Whether the deinit of an object whose history is collected is running.
  var hasCollected: Bool { collected > 0 }

  /// The number of a thread.
  mutating func thread(_ thread: UInt32) -> Int {
    if let last, last.thread == thread { return last.number }
    let number = numbers[thread] ?? threads.count
    if number == threads.count {
      threads.append(Thread())
      numbers[thread] = number
    }
    last = (thread, number)
    return number
  }

  func isInnermost(_ object: UInt64, on thread: Int) -> Bool { threads[thread].objects.last == object }

  func innermost(on thread: Int, besides object: UInt64) -> UInt64? { threads[thread].objects.last { $0 != object } }

  /// The innermost ones; a list's deinit can nest as deep as the list is long.
  func innermost(_ count: Int, on thread: Int) -> ArraySlice<UInt64> { threads[thread].objects.suffix(count) }

  /// The history of the innermost object that has one.
  func innermostHistory(on thread: Int) -> Int? { threads[thread].collected.last?.history }

  /// `history` is negative if it is not collected.
  mutating func begin(_ object: UInt64, history: Int, on thread: Int) {
    if history >= 0 {
      threads[thread].collected.append((threads[thread].objects.count, history))
      collected += 1
    }
    threads[thread].objects.append(object)
  }

  /// Ends an object's deinit, and any that began later on the thread: a deinit cannot outlast the one around it.
  ///
  /// Returns the histories of those that ended within another one's, innermost first; nil if the object's deinit did
  /// not begin on the thread.
  mutating func end(_ object: UInt64, on thread: Int) -> [(inner: Int, outer: Int)]? {
    guard let index = threads[thread].objects.lastIndex(of: object) else { return nil }
    threads[thread].objects.removeSubrange(index...)
    guard threads[thread].collected.last.map({ $0.depth >= index }) == true else { return [] }
    var ended: [(inner: Int, outer: Int)] = []
    while let last = threads[thread].collected.last, last.depth >= index {
      threads[thread].collected.removeLast()
      collected -= 1
      if let outer = threads[thread].collected.last { ended.append((last.history, outer.history)) }
    }
    return ended
  }

  /// Forgets that a history's object is dying; false if it was not.
  mutating func forget(_ history: Int) -> Bool {
    var isFound = false
    for index in threads.indices {
      let before = threads[index].collected.count
      threads[index].collected.removeAll { $0.history == history }
      collected -= before - threads[index].collected.count
      if threads[index].collected.count < before { isFound = true }
    }
    return isFound
  }
}
