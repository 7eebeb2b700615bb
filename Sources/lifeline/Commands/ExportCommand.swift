import ArgumentParser
import Glibc
import LifelineAnalysis
import LifelineCompaction
import LifelineExport
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineTrace
import SystemPackage

struct ExportCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case perfetto, pprof, speedscope, collapsed, sqlite, columns
  }
  enum Order: String, ExpressibleByArgument, CaseIterable { case code, `class` }

  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Exports a trace to the formats of other tools.",
    discussion: """
      perfetto shows threads, objects and holders over time; pprof, speedscope and collapsed are call stacks with \
      numbers; sqlite is a database of classes, objects, backtraces and findings; columns adds the rows of a process \
      to a folder of many, for engines (Documentation/Exporting.md). Exits 0; 2 when there is no such trace or no \
      room, when --only and --ignore leave no class, and when only a part of the trace could be read: that part is \
      written.
      """)

  @Argument(help: "The trace.")
  var trace: String

  @Option(help: "perfetto, pprof, speedscope, collapsed, sqlite or columns.")
  var format: Format

  @OptionGroup var selection: SelectionArguments
  @OptionGroup var symbols: SymbolArguments

  @Option(
    help: "The count for collapsed: allocations (default), bytes, live, live-bytes, retains, releases or avoidable.")
  var metric: ProfileMetric?

  @Option(help: "First element of call stacks in collapsed and speedscope: code, or class (the class, then the code).")
  var by: Order?

  @Option(
    help: """
      Objects that get a row in sqlite (default 10000000), a track in perfetto (100, plus those of findings), or a row \
      in columns (10000, a sample).
      """
  )
  var limit: Int?

  @Option(help: "Host name for columns (default: this host's name).")
  var host: String?

  @Option(help: "Program version for columns (default: the beginning of its build ID).")
  var programVersion: String?

  @Option(
    name: .shortAndLong,
    help: "File for the result (default: standard output, except for sqlite), or folder for columns.")
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if format == .columns, output == nil { throw ValidationError("The format columns needs a folder; add -o FOLDER.") }
    if format == .sqlite, output == nil { throw ValidationError("The format sqlite needs a file; add -o FILE.") }
  }

  func run() throws {
    try Failure.told {
      let problems = try export()
      for problem in problems { Console.log("\(problem) What could be read was exported.") }
      if !problems.isEmpty { throw ExitStatus.toolFailure }
    }
  }

  /// A sentence about the given options that the format does not use, or nil.
  private var unusedOptions: String? {
    let given: [(name: String, isGiven: Bool, formats: [Format])] = [
      ("--metric", metric != nil, [.collapsed]), ("--by", by != nil, [.collapsed, .speedscope]),
      ("--limit", limit != nil, [.sqlite, .perfetto, .columns]), ("--host", host != nil, [.columns]),
      ("--program-version", programVersion != nil, [.columns]),
    ]
    let unused = given.filter { $0.isGiven && !$0.formats.contains(format) }.map(\.name)
    guard let last = unused.last else { return nil }
    let names = unused.count == 1 ? "\(last) has" : "\(unused.dropLast().joined(separator: ", ")) and \(last) have"
    return "\(names) no effect on the format \(format.rawValue)."
  }

  /// Writes the file; returns sentences about unreadable parts.
  private func export() throws -> [String] {
    let trace = try Trace(opening: trace)
    if let unusedOptions { Console.log(unusedOptions) }
    try selection.examine([trace])
    if let sentence = UncountedClasses(trace).sentence { Console.log(sentence) }
    if format == .columns {
      let export = ColumnExport(
        folder: output!, replaces: force, host: host, version: programVersion, files: symbols.files)
      return try export.write(trace, selection.selection, limit: limit ?? ColumnExport.usualLimit)
    }
    if let output { try OutputPlace.examine(output, besides: [self.trace]) }
    let file = try output.map { try CompleteFile(path: $0, replaces: force) }
    if format == .sqlite { return try exportDatabase(trace, file!) }
    if file == nil, format == .pprof || format == .perfetto, isatty(STDOUT_FILENO) == 1 {
      throw TraceError("\(format.rawValue) cannot be printed to a terminal; add -o FILE.")
    }
    if format == .perfetto {
      let export = try PerfettoExport(
        trace, selection.selection, limit: limit ?? PerfettoExport.usualLimit, files: symbols.files)
      if let first = export.leftOut.first {
        let others = export.leftOut.count > 1 ? " and \(export.leftOut.count - 1) more" : ""
        Console.log(
          "No track for \(first)\(others): more than \(PerfettoExport.eventLimit) retains and releases in all. "
            + "'lifeline history' shows any object's.")
      }
      try write(to: file) { try export.write(to: $0) }
      return export.problems
    }
    let reading = try ProfileReading(trace, selection.selection, files: symbols.files)
    if reading.profile.shortened > 0 {
      Console.log(
        "\(reading.profile.shortened) events were exported without their callers: "
          + "there were too many different backtraces."
      )
    }
    let late = format == .pprof ? LateObject.all(try Diagnosis(reading.trace, names: reading.names)) : []
    let calls = CallProfile(reading.profile, names: reading.names, late: late)
    try write(to: file) { sink in
      switch format {
      case .pprof: try PprofFormat(reading.trace, hasLate: true).write(calls, to: sink)
      case .collapsed:
        try CollapsedFormat(metric: metric ?? .allocations, startsWithClass: by == .class).write(calls, to: sink)
      case .speedscope:
        try SpeedscopeFormat(startsWithClass: by == .class).write(
          calls, name: reading.trace.tables.programPath, exporter: "lifeline@\(LifelineVersion.text)", to: sink)
      case .perfetto, .sqlite, .columns: break
      }
    }
    return reading.problems
  }

  private func write(to file: CompleteFile?, _ body: (ByteSink) throws -> Void) throws {
    if let file { return try file.write { try body(ByteSink($0)) } }
    do {
      try body(ByteSink(.standardOutput))
    } catch Errno.brokenPipe {
      // The reader has seen enough.
    } catch let error as Errno {
      throw TraceError("Cannot write the output: \(error).")
    }
  }

  private func exportDatabase(_ trace: Trace, _ file: CompleteFile) throws -> [String] {
    try file.writeByName { name in
      var format: SQLiteFormat?
      let reading = try ProfileReading(trace, selection.selection, files: symbols.files) { trace in
        let made = try SQLiteFormat(trace, path: name, name: file.path, objectLimit: limit ?? SQLiteFormat.objectLimit)
        format = made
        return { try made.add($0) }
      }
      guard let format else { return [] }
      let diagnosis = try Diagnosis(
        reading.trace, heap: HeapSnapshotReader(reading.trace).snapshot(), names: reading.names)
      let report = ReportBuilder(reading.trace, diagnosis, names: reading.names).build()
      try format.finish(reading.profile, names: reading.names, findings: report.findings, problems: reading.problems)
      if format.omitted > 0 {
        Console.log("\(format.omitted) objects beyond the limit have no row; the counts include them.")
      }
      return reading.problems
    }
  }
}

extension ProfileMetric: ExpressibleByArgument {}
