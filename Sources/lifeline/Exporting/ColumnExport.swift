import Glibc
import LifelineAnalysis
import LifelineExport
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// The rows of one process in a folder that other processes' rows share.
struct ColumnExport {
  /// Maximum number of objects with rows, for one process.
  static let usualLimit = 10_000

  let folder: String
  let replaces: Bool
  let host: String?
  let version: String?
  let files: SymbolFiles

  /// Writes all tables; returns sentences about unreadable parts.
  ///
  /// - Throws: `TraceError`.
  func write(_ trace: Trace, _ selection: EventSelection, limit: Int) throws -> [String] {
    var lives = ObjectSample(limit: limit)
    let reading = try ProfileReading(trace, selection, files: files) { _ in { lives.add($0) } }
    let diagnosis = try Diagnosis(
      reading.trace, heap: HeapSnapshotReader(reading.trace).snapshot(), names: reading.names)
    let findings = ReportBuilder(reading.trace, diagnosis, names: reading.names).build().findings
    let origin = ColumnOrigin(reading.trace, host: host ?? Self.thisHost, version: version)
    let format = ColumnFormat(
      reading.trace, origin, reading.profile, lives: lives, findings: findings, names: reading.names,
      isDamaged: !reading.problems.isEmpty)
    let files = try ColumnTable.allCases.map { table in
      let path = "\(folder)/\(origin.path(table))"
      try Self.makeFolder(of: path)
      return (table, try CompleteFile(path: path, replaces: replaces))
    }
    for (table, file) in files { try file.write { try format.write(table, to: $0) } }
    return reading.problems
  }

  private static func makeFolder(of path: String) throws {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    for end in parts.indices {
      let folder = parts[...end].joined(separator: "/")
      guard !folder.isEmpty, mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
      let why = String(cString: strerror(errno))
      var status = stat()
      if lstat(folder, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
        throw TraceError("\(folder) is not a folder; name another one.")
      }
      throw TraceError("Cannot create the folder \(folder): \(why).")
    }
  }

  private static var thisHost: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
