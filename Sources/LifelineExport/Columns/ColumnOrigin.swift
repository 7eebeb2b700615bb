import LifelineTrace

/// The origin of rows: the columns that every table begins with.
public struct ColumnOrigin: Sendable {
  public let host: String
  /// The user's name for this version of the program, or the start of its build ID.
  public let version: String
  private let process: String
  private let buildID: String
  private let startTime: UInt64

  /// With `version` nil the build ID is used.
  public init(_ trace: Trace, host: String, version: String?) {
    let recording = trace.recording
    let build = trace.tables.images.first(where: \.isMain)?.buildID ?? []
    buildID = build.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    self.host = host
    self.version = version ?? (buildID.isEmpty ? "unknown" : String(buildID.prefix(12)))
    startTime = recording.startTime
    process = "\(host).\(recording.process).\(recording.startTime)"
  }

  /// "2026-11-22", in UTC.
  var day: String {
    // Days since 1970 to a date of the Gregorian calendar; years begin in March, so that a leap day is the last day of
    // one.
    let days = Int(startTime / 86_400_000_000_000) + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(digits(month))-\(digits(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))"
  }

  /// Path of a table's file relative to the folder, partitioned as engines expect it.
  public func path(_ table: ColumnTable) -> String {
    "\(table.rawValue)/version=\(Self.component(version))/day=\(day)/\(Self.component(process)).jsonl.zst"
  }

  /// A name as a path component: characters other than letters, digits, ".", "-" and "_" become "_", and so does a
  /// leading ".".
  private static func component(_ name: String) -> String {
    let kept = String(
      decoding: name.utf8.prefix(100).map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          byte
        default: UInt8(ascii: "_")
        }
      }, as: UTF8.self)
    return kept.hasPrefix(".") || kept.isEmpty ? "_" + kept : kept
  }

  var row: ColumnRow {
    var row = ColumnRow()
    row.set("process", process)
    row.set("host", host)
    row.set("program_version", version)
    row.set("build_id", buildID)
    row.set("started_ns", startTime)
    return row
  }
}
