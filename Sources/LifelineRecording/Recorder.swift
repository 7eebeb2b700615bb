import Glibc
import LifelineTrace

/// Runs a program under the probe.
public struct Recorder {
  /// What became of a recording.
  public struct Result: Sendable {
    public let end: Recording.End
    public let process: Int
    /// The program's own trace; nil when none was written.
    public let trace: String?
    /// Traces of processes that it started, oldest first.
    public let descendants: [String]
    /// Why there is no trace, or nil.
    public let reason: String?
  }

  private let options: RecordingOptions

  public init(options: RecordingOptions) { self.options = options }

  /// Records one run of a program.
  ///
  /// - Throws: `RecordingError` when the program was not started.
  public func record(_ program: String, arguments: [String]) throws -> Result {
    let inspection = try ProgramInspection(program: program)
    let probe = try ProbeLocator().locate()
    let path = TracePath(output: options.output)
    try check(path)
    let session = UInt64.random(in: 1...UInt64.max)
    var chosen = options
    chosen.output = path.pattern
    let child = ChildProcess(
      path: inspection.path, arguments: [program] + arguments, environment: environment(probe, chosen, session))
    var process: pid_t = 0
    let end = try child.run { process = $0 }
    let traces = path.traces(session: session)
    for trace in traces {
      let isOwn = trace.recording.process == Int(process)
      // A descendant may still be running: its trace is completed by whoever reads it.
      if isOwn { try? TraceSealer(path: trace.path).seal(end: end) }
    }
    // After an exec the process has several traces; the last is the one that it ended with.
    let own = traces.last { $0.recording.process == Int(process) }?.path
    let others = traces.map(\.path).filter { $0 != own }
    return Result(
      end: end, process: Int(process), trace: own, descendants: others,
      reason: own == nil ? inspection.obstacle ?? Self.unexplained(inspection) : nil)
  }

  private static func unexplained(_ inspection: ProgramInspection) -> String {
    switch inspection.runtime {
    case .unknown:
      "\(inspection.path) did not load the Swift runtime, so there was nothing to record."
    case .shared, .inside, .insideStripped:
      "\(inspection.path) is a Swift program but wrote no trace: something on the way cleared LD_PRELOAD or LIFELINE_OPTIONS from its environment, or the trace could not be created."
    }
  }

  private func check(_ path: TracePath) throws {
    guard access(path.folder, W_OK | X_OK) == 0 else {
      throw RecordingError("The folder \(path.folder) cannot be written, so no trace can be put there; choose another with --output.")
    }
    guard path.isFixed else { return }
    let file = path.expanded(process: 0, program: "")
    var status = stat()
    guard lstat(file, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG where options.force: return
    case S_IFREG: throw RecordingError("The file \(file) exists already; --force replaces it.")
    case S_IFLNK: throw RecordingError("\(file) is a link; lifeline writes no trace through a link.")
    default: throw RecordingError("\(file) is not a regular file; no trace can be put there.")
    }
  }

  private func environment(_ probe: String, _ options: RecordingOptions, _ session: UInt64) -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") { variables[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
      next += 1
    }
    let preloaded = variables["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : $0 }
    variables["LD_PRELOAD"] = preloaded.map { "\(probe):\($0)" } ?? probe
    variables["LIFELINE_OPTIONS"] = options.encoded(session: session, inherited: variables["LIFELINE_OPTIONS"])
    return variables
  }
}
