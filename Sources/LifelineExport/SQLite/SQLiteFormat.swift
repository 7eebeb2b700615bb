import LifelineLifetimes
import LifelineReporting
import LifelineTrace

/// A SQLite database of a trace's classes, objects, backtraces and findings.
public final class SQLiteFormat {
  /// Maximum number of objects with rows; the counts of `sites` include all.
  public static let objectLimit = 10_000_000

  private let trace: Trace
  private let database: SQLiteDatabase
  private let objects: SQLiteInsertion
  private let limit: Int
  private var rows = 0
  /// Objects without a row, beyond the limit.
  public private(set) var omitted = 0

  /// Begins a database in a file that does not exist or is empty; `name` is used in errors.
  ///
  /// - Throws: `ExportError`.
  public init(_ trace: Trace, path: String, name: String, objectLimit: Int = SQLiteFormat.objectLimit) throws {
    self.trace = trace
    limit = objectLimit
    database = try SQLiteDatabase(path: path, name: name)
    try database.run(SQLiteSchema.tables)
    objects = try database.insertion(into: "objects", columns: 17)
  }

  /// - Throws: `ExportError`.
  public func add(_ life: ObjectSummary) throws {
    guard rows < limit else {
      omitted += 1
      return
    }
    rows += 1
    let recording = trace.recording
    let final = life.finalRelease
    try objects.add(
      SQLiteValue(life.classIndex), SQLiteValue(life.number), SQLiteValue(life.address), SQLiteValue(life.size),
      .text("\(life.state)"),
      SQLiteValue(life.allocation.sequence), SQLiteValue(recording.nanoseconds(at: life.allocation.clock)),
      SQLiteValue(life.thread),
      SQLiteValue(life.backtrace.rawValue), SQLiteValue(life.retains), SQLiteValue(life.releases),
      SQLiteValue(final?.sequence),
      SQLiteValue(final.map { recording.nanoseconds(at: $0.clock) }), SQLiteValue(final.map { _ in life.endThread }),
      SQLiteValue(final.map { _ in life.finalBacktrace.rawValue }), SQLiteValue(life.freed?.sequence),
      SQLiteValue(life.freed.map { recording.nanoseconds(at: $0.clock) }))
  }

  /// Writes everything except the objects, and ends the file.
  ///
  /// - Throws: `ExportError`.
  public func finish(_ profile: LifetimeProfile, names: Names, findings: [Report.Finding], problems: [String]) throws {
    try writeTrace(profile)
    try writeTables(profile, names)
    var backtraces = try SQLiteBacktraces(database, profile.backtraces, names: names)
    try backtraces.write()
    let sites = try database.insertion(into: "sites", columns: 9)
    for sample in profile.samples where !sample.cost.isZero {
      let cost = sample.cost
      try sites.add(
        SQLiteValue(sample.classIndex), SQLiteValue(sample.backtrace.rawValue), SQLiteValue(cost.allocations),
        SQLiteValue(cost.bytes),
        SQLiteValue(cost.live), SQLiteValue(cost.liveBytes), SQLiteValue(cost.retains), SQLiteValue(cost.releases),
        SQLiteValue(cost.avoidable))
    }
    let table = try database.insertion(into: "findings", columns: 8)
    for (index, finding) in findings.enumerated() {
      try table.add(
        SQLiteValue(index + 1), .text(finding.kind), .text(finding.severity), SQLiteValue(name: finding.title),
        .text(finding.fingerprint),
        SQLiteValue(name: finding.object.id), SQLiteValue(name: finding.object.class),
        .text(finding.explanation.map(ExportName.clean).joined(separator: "\n")))
    }
    let remarks = try database.insertion(into: "problems", columns: 1)
    for problem in problems { try remarks.add(SQLiteValue(name: problem)) }
    try database.run(SQLiteSchema.views)
    try database.finish()
  }

  private func writeTrace(_ profile: LifetimeProfile) throws {
    let table = try database.insertion(into: "trace", columns: 2)
    let recording = trace.recording
    try table.add(.text("schema"), .text(SQLiteSchema.name))
    try table.add(.text("lifeline"), .text(LifelineVersion.text))
    try table.add(.text("program"), SQLiteValue(name: trace.tables.programPath))
    try table.add(.text("process"), SQLiteValue(recording.process))
    try table.add(.text("start_ns"), SQLiteValue(recording.startTime))
    try table.add(.text("duration_ns"), SQLiteValue(recording.duration))
    try table.add(.text("events"), SQLiteValue(profile.events))
    try table.add(.text("objects_without_row"), SQLiteValue(omitted))
    try table.add(.text("events_without_callers"), SQLiteValue(profile.shortened))
  }

  private func writeTables(_ profile: LifetimeProfile, _ names: Names) throws {
    let images = try database.insertion(into: "images", columns: 5)
    for (index, image) in trace.tables.images.enumerated() {
      try images.add(
        SQLiteValue(index + 1), SQLiteValue(name: image.path), .text(Self.hexadecimal(image.buildID)),
        SQLiteValue(image.isMain), SQLiteValue(image.isSystem))
    }
    let threads = try database.insertion(into: "threads", columns: 3)
    for thread in trace.tables.threads.values.sorted(by: { $0.number < $1.number }) {
      try threads.add(
        SQLiteValue(thread.number), SQLiteValue(thread.kernelID),
        SQLiteValue(name: names.name(thread: UInt32(truncatingIfNeeded: thread.number))))
    }
    let classes = try database.insertion(into: "classes", columns: 3)
    for (index, entry) in profile.classes.enumerated() {
      try classes.add(
        SQLiteValue(index), SQLiteValue(name: index == 0 ? "(older than the recording)" : entry.name),
        SQLiteValue(entry.instanceSize))
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
