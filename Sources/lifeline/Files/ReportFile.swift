import ArgumentParser

/// "sarif=lifeline.sarif": a format and the file for it.
struct ReportFile {
  let format: ReportFormat
  let path: String

  init(format: ReportFormat, path: String) {
    self.format = format
    self.path = path
  }

  /// - Throws: `ValidationError` for another form or an unknown format.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])) else {
      let formats = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--also takes FORMAT=FILE, such as html=report.html; the formats are \(formats).")
    }
    self.format = format
    path = String(parts[1])
  }
}
