import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// The lives of chosen objects, with names.
public struct TimelineReader {
  private let trace: Trace
  private let summary: LifetimeSummary
  private let names: Names
  private let stores: [ObjectID: [UInt64: Holder]]

  /// - Parameter stores: The events that stored the references to leaked objects, and who has them, from a `Diagnosis`.
  public init(_ trace: Trace, _ summary: LifetimeSummary, names: Names, stores: [ObjectID: [UInt64: Holder]] = [:]) {
    self.trace = trace
    self.summary = summary
    self.names = names
    self.stores = stores
  }

  /// In order of allocation; long lives without their middle.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func timelines(of objects: Set<ObjectID>) throws -> [Report.ObjectTimeline] {
    let reading = try LifetimeReader(
      trace, summary, objects: objects, names: names, rowLimit: LongHistory.rowLimit, stores: stores)
    let context = ReportContext(
      names: names, backtraces: reading.backtraces, recording: trace.recording, lastEvent: summary.events,
      lastClock: summary.tracker.lastClock)
    return reading.lifetimes.map { context.timeline($0, role: "") }
  }
}
