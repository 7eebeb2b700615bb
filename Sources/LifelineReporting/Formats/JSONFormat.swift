import Foundation
import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Renders as JSON: sorted keys, so that the same trace gives the same bytes.
public struct JSONFormat {
  public init() {}

  public func render(_ report: Report) throws -> String { try encode(report) }

  public func render(_ report: ProfileReport) throws -> String { try encode(report) }

  public func render(_ difference: ProfileDifference) throws -> String { try encode(difference) }

  public func render(_ report: ObjectListReport) throws -> String { try encode(report) }

  /// The lives of objects, as an array of `Report.ObjectTimeline`.
  public func render(
    _ lifetimes: [ObjectLifetime], _ trace: Trace, names: Names, summary: LifetimeSummary, backtraces: BacktraceTable
  ) throws -> String {
    let holds = ReportContext(
      names: names, backtraces: backtraces, recording: trace.recording, lastEvent: summary.events,
      lastClock: summary.tracker.lastClock)
    return try encode(lifetimes.map { holds.timeline($0, role: "") })
  }

  private func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
