import Glibc
import LifelineAnalysis
import LifelineLive
import LifelineRecording
import LifelineSymbolication
import LifelineTrace

/// Watches a trace to its end, on a terminal or without one.
struct LiveSession {
  let watch: LiveWatch
  /// The program, if it was started to be watched.
  let run: WatchedRun?
  let rules: HoldRules
  let files: @Sendable () -> SymbolFiles
  /// Seconds between two lines.
  let interval: Double

  /// Milliseconds between looks at the trace on a terminal.
  private static let tick: Int32 = 250

  /// Prints the state every `interval`, until the process ends, the reader is gone, or a signal arrives.
  ///
  /// - Throws: `TraceError`.
  func stream(_ output: inout LiveOutput) throws {
    while true {
      repeat { try watch.read() } while !watch.isCurrent && LiveSignals.last == 0
      if !watch.isRunning { return try finish(&output) }
      watch.diagnose()
      try output.write(watch.snapshot)
      for _ in 0..<max(1, Int(interval / 0.05)) {
        if Console.isClosed || Console.hasFailed || LiveSignals.last != 0 { return }
        usleep(50_000)
        if run?.result() != nil { break }
      }
    }
  }

  /// Prints the current state.
  ///
  /// - Throws: `TraceError`.
  func once(_ output: inout LiveOutput) throws {
    repeat { try watch.read() } while !watch.isCurrent
    try watch.diagnoseNow()
    try output.write(watch.snapshot)
  }

  /// The process has ended: waits a moment for its parent to record how, and prints the final state.
  private func finish(_ output: inout LiveOutput) throws {
    for _ in 0..<20 {
      if run == nil, watch.endIsKnown { break }
      if let run, run.result() != nil { break }
      usleep(50_000)
      try watch.read()
    }
    try watch.read()
    // For a long trace this takes a while, and nothing needs to be cleaned up anymore.
    LiveSignals.forget()
    try watch.diagnoseNow()
    try output.write(watch.snapshot)
  }

  /// Shows it on the terminal until the user quits; returns any error.
  func show(on terminal: CursesScreen) -> TraceError? {
    var screen = LiveScreen()
    var failure: TraceError?
    var history: LiveHistory?
    while LiveSignals.last == 0 {
      if failure == nil {
        do {
          try watch.read()
          _ = run?.result()
          watch.diagnose()
          screen.show(watch.snapshot)
        } catch {
          failure = error as? TraceError ?? TraceError("\(error)")
          var last = screen.snapshot
          last.remark = failure!.description
          screen.show(last)
        }
      }
      if let name = screen.openClass { screen.show(watch.detail(of: name)) }
      if let lines = history?.take() { screen.show(history: lines) }
      if screen.showsHistory { history = history?.fitting(terminal.size.width, watch.path, rules: rules) }
      if answerKeys(&screen, &history, terminal) { break }
    }
    return failure
  }

  /// Draws, and handles keys until the next look; true if the user quits.
  private func answerKeys(_ screen: inout LiveScreen, _ history: inout LiveHistory?, _ terminal: CursesScreen) -> Bool {
    var left = watch.isCurrent ? Self.tick : 1
    while left > 0, LiveSignals.last == 0 {
      let size = terminal.size
      terminal.draw(screen.lines(width: size.width, height: size.height))
      let before = Int(MonotonicClock.nanoseconds / 1_000_000)
      let key = terminal.key(within: left)
      left -= max(1, Int32(clamping: Int(MonotonicClock.nanoseconds / 1_000_000) - before))
      guard let key else { continue }
      switch screen.press(key, height: size.height) {
      case .quit: return true
      case .open(let name): screen.show(watch.detail(of: name))
      case .history(let object):
        history = .start(watch.path, address: object.address, rules: rules, width: size.width, files: files)
      case nil: break
      }
    }
    return false
  }
}
