import ArgumentParser

/// "sarif=lifeline.sarif": a format and the file for it.
struct ReportFile: ExpressibleByArgument {
  let format: ReportFormat
  let path: String

  init(format: ReportFormat, path: String) {
    self.format = format
    self.path = path
  }

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let format = ReportFormat(rawValue: String(parts[0])) else { return nil }
    self.format = format
    path = String(parts[1])
  }
}
