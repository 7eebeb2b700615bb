import LifelineLive
import LifelineTrace

/// Without a terminal: renders each moment in the requested format.
struct LiveOutput {
  private let format: LiveCommand.Format
  private let isOnce: Bool
  private var line = LiveSummaryLine()
  private var prometheus: PrometheusText
  private let file: CompleteFile?
  private var told = 0
  private var remark = ""

  /// - Throws: `TraceError` if the file may not be written: only force replaces a file that is not our own earlier one.
  init(_ format: LiveCommand.Format, file path: String?, series: Int, isForced: Bool, isOnce: Bool) throws {
    self.format = format
    self.isOnce = isOnce
    prometheus = PrometheusText(limit: series)
    file = try path.map { path in
      let isOurs = (try? InputFile(path: path).read().hasPrefix(PrometheusText.mark)) ?? false
      return try CompleteFile(path: path, replaces: isForced || isOurs)
    }
    replacing = try path.map { try CompleteFile(path: $0, replaces: true) }
  }

  /// The file, once it has been written and is therefore ours.
  private let replacing: CompleteFile?
  private var wasWritten = false

  /// - Throws: `TraceError` if the file cannot be written.
  mutating func write(_ snapshot: LiveSnapshot) throws {
    switch format {
    case .text:
      Console.print(line.text(snapshot))
      for finding in snapshot.findings.dropFirst(told) { Console.print("finding: \(finding.title)\n") }
      told = max(told, snapshot.findings.count)
    case .json: Console.print(try LiveDocument(snapshot, withRates: !isOnce).text(isOneLine: !isOnce))
    case .prometheus:
      let text = prometheus.text(snapshot)
      guard let target = wasWritten ? replacing : file else { return Console.print(text) }
      try target.write { _ = try $0.writeAll(Array(text.utf8)) }
      wasWritten = true
    }
    if snapshot.remark != remark, !snapshot.remark.isEmpty { Console.log(snapshot.remark) }
    remark = snapshot.remark
  }
}
