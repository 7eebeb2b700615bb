import Synchronization

/// How the allowances of one trait were used, over all runs of its test.
final class AllowanceUse: Sendable {
  private struct State {
    var used: Set<Int> = []
    var isKnown = true
    var isOfSuite = false
  }

  private let state = Mutex(State())

  /// The trait is on a suite: any of its tests may need an allowance, and not all of them may have been selected.
  func noteSuite() { state.withLock { $0.isOfSuite = true } }

  /// Adds the result of a run; nil if unknown, as for a test that threw.
  func add(_ used: Set<Int>?) {
    state.withLock { state in
      if let used { state.used.formUnion(used) } else { state.isKnown = false }
    }
  }

  /// The allowances that no run needed; empty if unknown.
  func idle(of allowances: [LeakAllowance]) -> [LeakAllowance] {
    state.withLock { state in
      guard state.isKnown, !state.isOfSuite else { return [] }
      return allowances.indices.filter { !state.used.contains($0) }.map { allowances[$0] }
    }
  }
}
