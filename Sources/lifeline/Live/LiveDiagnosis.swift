import Foundation
import LifelineAnalysis
import LifelineHeap
import LifelineLive
import LifelineReporting
import LifelineSymbolication
import LifelineTrace
import Synchronization

/// Searches for findings in a growing trace, on a separate thread: reads it completely, then pauses nine times as long.
final class LiveDiagnosis: Sendable {
  /// Maximum events of a trace that is read repeatedly; for a longer one only what the recorder caught is shown.
  static let eventLimit = 20_000_000

  struct Outcome: Sendable {
    var findings: [LiveSnapshot.Finding] = []
    /// Number of caught findings when it began.
    var covered = 0
  }

  private struct State {
    var outcome = Outcome()
    var isRunning = false
    var events = -1
    var notBefore = 0.0
  }

  private let state = Mutex(State())
  private let rules: HoldRules
  private let files: @Sendable () -> SymbolFiles

  init(rules: HoldRules, files: @escaping @Sendable () -> SymbolFiles) { (self.rules, self.files) = (rules, files) }

  var outcome: Outcome { state.withLock { $0.outcome } }

  /// Starts if there are new events, unless it is running or pausing; caught findings are examined immediately.
  func start(_ path: String, events: Int, caught: Int) {
    guard events <= Self.eventLimit else { return }
    let isDue = state.withLock { state in
      let isUrgent = caught > state.outcome.covered
      guard !state.isRunning, events > state.events, isUrgent || Self.now >= state.notBefore else { return false }
      state.isRunning = true
      state.events = events
      return true
    }
    guard isDue else { return }
    let thread = Thread { [self] in
      let begin = Self.now
      let found = try? findings(path)
      let end = Self.now
      state.withLock { state in
        if let found { state.outcome = Outcome(findings: found, covered: caught) }
        state.isRunning = false
        state.notBefore = end + max(2, 9 * (end - begin))
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Diagnoses the current trace, and waits for the result.
  ///
  /// - Throws: `TraceError` if it cannot be read.
  func finish(_ path: String, events: Int, caught: Int) throws {
    guard events <= Self.eventLimit else { return }
    let found = try findings(path)
    state.withLock { $0.outcome = Outcome(findings: found, covered: caught) }
  }

  private func findings(_ path: String) throws -> [LiveSnapshot.Finding] {
    let trace = try Trace(path: path)
    let names = Names(trace, files: files())
    let diagnosis = try Diagnosis(trace, heap: HeapSnapshotReader(trace).snapshot(), names: names, rules: rules)
    return ReportBuilder(trace, diagnosis, names: names).build().findings.map {
      LiveSnapshot.Finding(kind: $0.kind, className: $0.object.class, title: $0.title.safe)
    }
  }

  private static var now: Double { ProcessInfo.processInfo.systemUptime }
}
