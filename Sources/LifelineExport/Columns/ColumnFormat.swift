import LifelineLifetimes
import LifelineReporting
import LifelineTrace
import SystemPackage

/// The rows of one process for query engines that read many: compressed lines of JSON, one file per table.
///
/// Counts are exact; objects may be a sample. No source lines, no arguments and no file paths leave the host.
public struct ColumnFormat {
  private let trace: Trace
  private let origin: ColumnOrigin
  private let profile: CallProfile
  private let events: UInt64
  private let lives: ObjectSample
  private let liveSites: [ObjectSite]
  private let findings: [Report.Finding]
  private let isDamaged: Bool

  /// An object and the name of its site.
  private struct ObjectSite {
    let life: ObjectSummary
    let site: String
  }

  public init(
    _ trace: Trace, _ origin: ColumnOrigin, _ counted: LifetimeProfile, lives: ObjectSample, findings: [Report.Finding],
    names: Names, isDamaged: Bool
  ) {
    self.trace = trace
    self.origin = origin
    self.lives = lives
    self.findings = findings
    self.isDamaged = isDamaged
    events = counted.events
    profile = CallProfile(counted, names: names).byFunction
    liveSites = lives.lives.map { life in
      ObjectSite(
        life: life,
        site: Self.name(counted.backtraces.entries(life.backtrace).flatMap(names.callFrames).map(\.function)))
    }
  }

  /// Writes the rows of one table.
  ///
  /// - Throws: `Errno` if writing fails.
  public func write(_ table: ColumnTable, to file: FileDescriptor) throws {
    let sink = CompressedSink(file)
    switch table {
    case .processes: try sink.write(process.line)
    case .classes: try writeClasses(sink)
    case .sites: try writeSites(sink)
    case .lives: try writeLives(sink)
    case .findings: try writeFindings(sink)
    }
    try sink.finish()
  }

  private var process: ColumnRow {
    var row = origin.row
    let recording = trace.recording
    row.set("program", trace.tables.programPath.split(separator: "/").last.map(String.init))
    row.set("pid", recording.process)
    row.set("duration_ns", recording.duration)
    row.set("events", events)
    row.set("threads", recording.threads)
    if case .exit(let status) = recording.end {
      row.set("exit_status", status)
    } else {
      row.set("exit_status", nil as Int?)
    }
    if case .signal(let number) = recording.end { row.set("signal", number) } else { row.set("signal", nil as Int?) }
    row.set("lives", lives.count)
    row.set("lives_with_row", liveSites.count)
    row.set("findings", findings.count)
    row.set("is_damaged", isDamaged)
    return row
  }

  private func writeClasses(_ sink: CompressedSink) throws {
    var sums = [ProfileCost](repeating: ProfileCost(), count: profile.classes.count)
    for sample in profile.samples { sums[sample.classIndex] += sample.cost }
    for (index, cost) in sums.enumerated() where !cost.isZero {
      var row = origin.row
      row.set("class", profile.className(index))
      row.set("instance_size", profile.classes[index].instanceSize)
      Self.set(cost, &row)
      try sink.write(row.line)
    }
  }

  private func writeSites(_ sink: CompressedSink) throws {
    for sample in profile.samples {
      let frames = profile.tree.path(sample.node).map { profile.tree.frames[$0] }
      var row = origin.row
      row.set("class", profile.className(sample.classIndex))
      row.set("site", Self.name(frames.map(\.function)))
      Self.set(sample.cost, &row)
      row.set(
        "frames",
        rows: frames.map { frame in
          var entry = ColumnRow()
          entry.set("function", frame.function)
          entry.set("image", frame.image)
          return entry
        })
      try sink.write(row.line)
    }
  }

  private static func set(_ cost: ProfileCost, _ row: inout ColumnRow) {
    row.set("allocations", cost.allocations)
    row.set("bytes", cost.bytes)
    row.set("live", cost.live)
    row.set("live_bytes", cost.liveBytes)
    row.set("retains", cost.retains)
    row.set("releases", cost.releases)
    row.set("avoidable", cost.avoidable)
  }

  private func writeLives(_ sink: CompressedSink) throws {
    let recording = trace.recording
    for entry in liveSites {
      let life = entry.life
      var row = origin.row
      row.set("class", profile.className(life.classIndex))
      row.set("number", life.number)
      row.set("site", entry.site)
      row.set("size", life.size)
      row.set("state", "\(life.state)")
      row.set("allocated_ns", recording.nanoseconds(at: life.allocation.clock))
      row.set("final_ns", life.finalRelease.map { recording.nanoseconds(at: $0.clock) })
      row.set("freed_ns", life.freed.map { recording.nanoseconds(at: $0.clock) })
      row.set("thread", life.thread)
      row.set("retains", life.retains)
      row.set("releases", life.releases)
      try sink.write(row.line)
    }
  }

  private func writeFindings(_ sink: CompressedSink) throws {
    for finding in findings {
      var row = origin.row
      row.set("kind", finding.kind)
      row.set("severity", finding.severity)
      row.set("fingerprint", finding.fingerprint)
      row.set("class", finding.object.class)
      row.set("object", finding.object.id)
      row.set("title", finding.title)
      try sink.write(row.line)
    }
  }

  /// The same for the same functions in every process: FNV-1a of their names, innermost first.
  private static func name(_ functions: [String]) -> String {
    var hash = FNV1a()
    for function in functions {
      hash.add(function)
      hash.add(0xFF)
    }
    return hash.digits
  }
}
