import LifelineLifetimes
import LifelineTrace

/// Which functions of a thread may have run until it ended, shown by the last object that it allocated.
struct EndedThread {
  /// A function of a backtrace: its call site and, of the functions inlined there, which one; innermost first.
  struct Place {
    var site = 0
    var frame = 0
  }

  private let last: TrackedObject?
  private let sites: CallSiteTable

  init(_ last: TrackedObject?, _ sites: CallSiteTable) {
    self.last = last
    self.sites = sites
  }

  /// The innermost of the functions in which an object was allocated that may not have returned.
  ///
  /// When the last object was allocated, those had returned that were called where its own backtrace goes elsewhere.
  func firstRunning(of object: TrackedObject) -> Place {
    let all = Place()
    guard let last, last.allocationSequence > object.allocationSequence else { return all }
    let calls = sites.backtraces.entries(object.allocation), lastCalls = sites.backtraces.entries(last.allocation)
    guard (calls + lastCalls).allSatisfy({ $0.isFrame && !$0.isAsync }) else { return all }
    let common = zip(calls.reversed(), lastCalls.reversed()).prefix { $0 == $1 }.count
    // Without a common caller, one of them may have been allocated on a stack of a coroutine.
    guard common > 0, common < calls.count, common < lastCalls.count else { return all }
    let site = calls.count - 1 - common
    let functions = sites.functions(at: calls[site]).map(\.frame.function)
    let lastFunctions = sites.functions(at: lastCalls[lastCalls.count - 1 - common]).map(\.frame.function)
    let running = zip(functions.reversed(), lastFunctions.reversed()).prefix { $0 == $1 }.count
    return Place(site: site, frame: functions.count - running)
  }
}
