/// Which calls had ended by which row of an object's history, as far as its events show.
///
/// A backtrace cannot tell two calls of a function from one place apart: a loop makes equal ones. An event of the same
/// thread in between whose backtrace leaves the call out proves that it had returned. Tasks may run inside of another
/// one's call, which their backtraces do not show, so each task is followed on its own.
struct CallEnds {
  private struct Strand: Hashable {
    let thread: UInt32
    let task: UInt64
  }

  private struct Call: Hashable {
    let strand: Strand
    let key: UInt64
  }

  /// The calls around the latest event and the sites in them, outermost first.
  private var running: [Strand: (calls: [UInt64], sites: [UInt64])] = [:]
  /// Rows at which a call was seen to have ended, ascending.
  private var ends: [Call: [Int]] = [:]

  mutating func see(_ reference: PairMatcher.Reference) {
    guard reference.place.isWhole else { return }
    let strand = Strand(thread: reference.thread, task: reference.task)
    let place = reference.place
    let calls = place.enclosing.reversed() + [place.key]
    let before = running[strand] ?? ([], [])
    let common = zip(before.calls, calls).prefix { $0 == $1 }.count
    // What a call did in tail position appears at its own site in its caller.
    if common == calls.count, common < before.calls.count, before.sites[common - 1] == place.path { return }
    // Without a common beginning the stacks are different ones.
    if common > 0 {
      for key in before.calls[common...] { ends[Call(strand: strand, key: key), default: []].append(reference.row) }
    }
    running[strand] = (calls, place.enclosingPaths.reversed() + [place.path])
  }

  /// Whether the call that took a reference had returned before a release.
  func hasEnded(callOf retain: PairMatcher.Reference, before release: PairMatcher.Reference) -> Bool {
    guard retain.place.canEnd, retain.thread == release.thread, retain.task == release.task else { return false }
    let strand = Strand(thread: retain.thread, task: retain.task)
    let rows = ends[Call(strand: strand, key: retain.place.key), default: []]
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] <= retain.row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low] < release.row
  }
}
