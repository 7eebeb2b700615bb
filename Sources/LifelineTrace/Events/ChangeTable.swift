import CLifelineFormat
import Glibc

/// The backtrace changes that followed last time: the prediction table of one chunk (lifeline_event.h).
struct ChangeTable {
  struct Entry {
    /// The round in which it was learned; if that is another one, the entry means "no change".
    var round: UInt32 = 0
    var pops: UInt32 = 0
    var pushes: UInt32 = 0
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

    /// Writes the words to their place on a stack; words after them are overwritten too, without meaning.
    @inline(__always)
    func put(at base: UnsafeMutablePointer<UInt64>) {
      base[0] = words.0
      base[1] = words.1
      base[2] = words.2
      guard pushes > 3 else { return }
      base[3] = words.3
      base[4] = words.4
      base[5] = words.5
    }
  }

  private let entries: UnsafeMutablePointer<Entry>
  private var round: UInt32 = 1

  /// The table has `LIFELINE_PREDICTION_SLOTS` slots, or none if it is never used.
  init(slots: Int) {
    // An entry is all zeros at first; most of a short stream's table is never touched, and then takes no time.
    guard let memory = calloc(slots, MemoryLayout<Entry>.stride) else {
      fatalError("There is no memory for another stream.")
    }
    entries = memory.bindMemory(to: Entry.self, capacity: slots)
  }

  func deallocate() { free(entries) }

  /// Clears the table, as at the beginning of each chunk. Constant time.
  mutating func forget() {
    round &+= 1
    if round == 0 {
      entries.update(repeating: Entry(), count: Int(LIFELINE_PREDICTION_SLOTS))
      round = 1
    }
  }

  /// The entry after an event of a kind with these innermost site words.
  @inline(__always)
  func entry(innermost: UInt64, next: UInt64, kind: UInt8) -> UnsafeMutablePointer<Entry> {
    entries + Int(lifeline_prediction_slot(lifeline_prediction_context(innermost, next), UInt32(kind)))
  }

  /// The prediction of an entry, or nil for "no change".
  @inline(__always)
  func prediction(_ entry: UnsafeMutablePointer<Entry>) -> UnsafeMutablePointer<Entry>? {
    entry.pointee.round == round ? entry : nil
  }

  /// Learns a change that pushed `pushes` words, the last of which is at `end` − 1.
  @inline(__always)
  func learn(_ entry: UnsafeMutablePointer<Entry>, pops: Int, pushes: Int, end: UnsafePointer<UInt64>) {
    guard pushes <= Int(LIFELINE_PREDICTED_SITES) else { return }
    let first = end - pushes
    entry.pointee.round = round
    entry.pointee.pops = UInt32(truncatingIfNeeded: pops)
    entry.pointee.pushes = UInt32(truncatingIfNeeded: pushes)
    if pushes > 0 { entry.pointee.words.0 = first[0] }
    if pushes > 1 { entry.pointee.words.1 = first[1] }
    if pushes > 2 { entry.pointee.words.2 = first[2] }
    guard pushes > 3 else { return }
    entry.pointee.words.3 = first[3]
    if pushes > 4 { entry.pointee.words.4 = first[4] }
    if pushes > 5 { entry.pointee.words.5 = first[5] }
  }
}
