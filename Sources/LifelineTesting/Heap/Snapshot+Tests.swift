import LifelineLifetimes
import LifelineTrace

extension Snapshot {
  /// Whether an event belongs to a test or scope.
  ///
  /// The task-local number decides for work in a task of the test. A detached task, a block on a queue and another
  /// thread have no number: there the code decides, which must be in the test's own function or its closures.
  func isCaused(_ event: UInt64, _ backtrace: BacktraceID, by scope: TestScope) -> Bool {
    if let number = number(of: event) { return TestRecorder.parents.isPart(number, of: scope.number) }
    guard let function = scope.function, TestRecorder.running.isAlone(scope), let begin = scope.begin(in: self),
      event > begin
    else { return false }
    return tracker.backtraces.entries(backtrace).contains { $0.isFrame && functions(at: $0).contains(function) }
  }

  /// Live objects that a test allocated, including in tasks and blocks that it started.
  func liveObjects(allocatedBy scope: TestScope) -> [TrackedObject] {
    tracker.liveObjects.filter { isCaused($0.allocationSequence, $0.allocation, by: scope) && isObject($0) }
  }

  private func functions(at site: BacktraceEntry) -> Set<TestFunction> {
    if let known = functions[site.address] { return known }
    let found = TestFunction.all(at: site, symbolicator)
    functions[site.address] = found
    return found
  }
}
