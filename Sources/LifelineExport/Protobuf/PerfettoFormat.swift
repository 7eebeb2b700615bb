import LifelineLifetimes
import LifelineReporting
import LifelineTrace

/// A trace for https://ui.perfetto.dev: a track for each thread and each selected object, holds as slices, counts as
/// counters, findings as instants connected by flows.
///
/// Times are nanoseconds since the start of the recording. Packets are written as they are created.
public struct PerfettoFormat {
  private let trace: Trace
  private let names: Names

  public init(_ trace: Trace, names: Names) {
    self.trace = trace
    self.names = names
  }

  /// - Throws: `Errno` if writing fails.
  public func write(
    _ timelines: [Report.ObjectTimeline], findings: [Report.Finding], classes: [ClassTotals], to sink: ByteSink
  ) throws {
    let packets = PerfettoPackets(sink)
    let process = try packets.track { track in
      track.process.pid = Int32(clamping: trace.recording.process)
      track.process.processName = ExportName.clean(trace.tables.programPath)
    }
    let threads = try threads(packets)
    try writeLiveCurves(classes, process, packets)
    let objects = try packets.track(in: process) { track in
      track.name = "Objects"
      track.childOrdering = .explicit
    }
    var moments: [UInt64: UInt64] = [:]
    for (index, timeline) in timelines.enumerated() {
      for event in timeline.events { moments[event.event] = event.time }
      try PerfettoObject(timeline, end: trace.recording.duration).write(to: packets, in: objects, rank: index)
    }
    for (index, finding) in findings.enumerated() {
      try write(finding, flow: UInt64(index + 1), moments, threads, packets)
    }
    try sink.flush()
  }

  /// The tracks of the threads, named as in reports.
  private func threads(_ packets: PerfettoPackets) throws -> [String: UInt64] {
    var tracks: [String: UInt64] = [:]
    for thread in trace.tables.threads.values.sorted(by: { $0.number < $1.number }) {
      let name = names.name(thread: UInt32(truncatingIfNeeded: thread.number))
      tracks[name] = try packets.track { track in
        track.thread.pid = Int32(clamping: trace.recording.process)
        track.thread.tid = Int64(thread.kernelID)
        track.thread.threadName = ExportName.clean(name)
      }
    }
    return tracks
  }

  /// Live objects of the largest classes, at equal steps of the recording.
  private func writeLiveCurves(_ classes: [ClassTotals], _ process: UInt64, _ packets: PerfettoPackets) throws {
    let shown = classes.filter { !$0.liveOverTime.isEmpty }.sorted { ($1.peakLive, $0.name) < ($0.peakLive, $1.name) }
      .prefix(Self.curveLimit)
    guard !shown.isEmpty else { return }
    let group = try packets.track(in: process) { $0.name = "Live objects" }
    for entry in shown {
      let track = try packets.track(in: group) { track in
        track.name = "live \(ExportName.clean(entry.name))"
        track.counter.unitName = "objects"
      }
      let step = trace.recording.duration / UInt64(entry.liveOverTime.count)
      for (index, value) in entry.liveOverTime.enumerated() {
        try packets.count(Int64(value), at: step * UInt64(index + 1), on: track)
      }
    }
  }

  private static let curveLimit = 50

  /// An instant for each place of a finding with a known time, on its thread.
  private func write(
    _ finding: Report.Finding, flow: UInt64, _ moments: [UInt64: UInt64], _ threads: [String: UInt64],
    _ packets: PerfettoPackets
  ) throws {
    for backtrace in finding.backtraces.sorted(by: { $0.event < $1.event }) {
      guard let time = moments[backtrace.event], let track = threads[backtrace.thread] else { continue }
      let place = backtrace.responsible.map { frame in
        frame.location.map { "\(frame.function) (\($0))" } ?? frame.function
      }
      try packets.event(.instant, at: time, on: track) { event in
        event.name = ExportName.clean("\(finding.kind): \(backtrace.role) of \(finding.object.id)")
        event.categories = ["finding"]
        event.flowIds = [flow]
        event.debugAnnotations = [
          PerfettoPackets.annotation("finding", finding.title), PerfettoPackets.annotation("place", place ?? ""),
          PerfettoPackets.annotation("fingerprint", finding.fingerprint),
        ]
      }
    }
  }
}
