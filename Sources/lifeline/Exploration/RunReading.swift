import LifelineAnalysis
import LifelineCompaction
import LifelineTrace

/// A quick look at the traces of one run, without code and names.
struct RunReading {
  private(set) var sites: [RacingSite] = []
  private(set) var held: [SchedulePoint] = []
  /// Sites whose thread was held until the other order occurred.
  private(set) var overtaken: Set<UInt32> = []
  private(set) var points = 0
  private(set) var wrongClass: String?
  /// The longest process.
  private(set) var microseconds = 0

  /// - Throws: `TraceError` if a trace cannot be read.
  init(_ run: ExploredRun) throws {
    for path in run.result.subjects {
      let trace = try Trace(opening: path)
      let reader = try RunReader(trace)
      sites += reader.sites
      held += reader.held
      overtaken.formUnion(reader.released.lazy.filter { $0.outcome == .overtaken }.map(\.hold.key))
      points += trace.recording.points
      wrongClass = wrongClass ?? reader.wrongClass
      microseconds = max(microseconds, Int(clamping: trace.recording.duration / 1000))
    }
  }
}
