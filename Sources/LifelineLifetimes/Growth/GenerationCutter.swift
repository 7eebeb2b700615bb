import LifelineTrace

/// Determines before which events generations end.
struct GenerationCutter {
  private let boundaries: Generations
  private let trace: Trace
  private var due: UInt64 = 0
  private var passed = 0

  init(_ boundaries: Generations, _ trace: Trace) {
    self.boundaries = boundaries
    self.trace = trace
    if case .every(let step) = boundaries { due = step }
  }

  /// How many generations end there: several if nothing happened for longer than one.
  mutating func endings(before event: Event) -> Int {
    switch boundaries {
    case .marks(let isWanted):
      let isEnd =
        event.kind == .mark && isWanted(trace.tables.strings[Int(truncatingIfNeeded: event.argument0)] ?? "")
      return isEnd ? 1 : 0
    case .every(let step):
      let time = trace.recording.nanoseconds(at: event.clock)
      guard step > 0, time >= due else { return 0 }
      let count = (time - due) / step + 1
      due += count * step
      return Int(count)
    case .at(let times):
      let time = trace.recording.nanoseconds(at: event.clock)
      let before = passed
      while passed < times.count, times[passed] <= time { passed += 1 }
      return passed - before
    }
  }
}
