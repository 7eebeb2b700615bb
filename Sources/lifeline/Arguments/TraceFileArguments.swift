import ArgumentParser

/// Where the trace of a recording goes.
struct TraceFileArguments: ParsableArguments {
  @Option(name: .shortAndLong, help: "Trace file; %p is the process ID, %e the program name.")
  var output: String?

  private static let reportExtensions = ["html", "json", "sarif", "xml", "md"]

  /// In `report` the same option names the report, so a report's name here is a mistake that would go unnoticed.
  func validate() throws {
    guard let output, Self.reportExtensions.contains(where: { output.lowercased().hasSuffix(".\($0)") }) else { return }
    throw ValidationError(
      "--output names the trace, and '\(output)' looks like a report. 'check' writes its report to the file given with "
        + "--report; of a trace, 'lifeline report -o \(output) TRACE' writes one.")
  }
}
