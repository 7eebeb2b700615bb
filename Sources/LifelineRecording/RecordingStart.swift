import Glibc
import LifelineHeap
import LifelineTrace

/// Everything needed to start a program under the probe, and to complete its traces when it has ended.
struct RecordingStart {
  var child: ChildProcess
  private let inspection: ProgramInspection
  private let driver: ToolchainDriver?
  private let path: TracePath
  private let session: UInt64
  private let toggle: String?

  /// - Throws: `RecordingError` if the program cannot be started this way.
  init(_ program: String, arguments: ProgramArguments?, options: RecordingOptions, examinationSocket: String?) throws {
    inspection = try ProgramInspection(program: program)
    let probe = try PreloadLink().path(of: ProbeLocator().locate())
    var environment = ChildEnvironment()
    var inherited = OptionText(String(decoding: environment.value(of: "LIFELINE_OPTIONS") ?? [], as: UTF8.self))
    // The session was set by another `lifeline` that records us: its traces must not mix with ours.
    if inherited["session"] != nil { inherited.remove(["session", "output", "force", "examine", "filters"]) }
    var chosen = options
    path = TracePath(output: options.output ?? inherited["output"])
    chosen.output = path.pattern
    let words = arguments?.words ?? []
    driver = ToolchainDriver(
      path: inspection.path, command: words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil)
    chosen.skippedFolder = driver?.folder
    chosen.force = options.force || inherited["force"].map { $0 != "0" } ?? false
    try Self.check(path, replaces: chosen.force)
    // Of a recording that began later, the memory at the end has objects that are not in the trace.
    chosen.examinationSocket = options.toggle == nil ? examinationSocket : nil
    toggle = options.toggle
    chosen.callFilters = Self.callFilters
    session = UInt64.random(in: 1...UInt64.max)
    let text = Array(chosen.text(session: session, inherited: inherited).text.utf8)
    guard text.count <= OptionText.limit else {
      throw RecordingError(
        "The options take \(text.count) bytes, but at most \(OptionText.limit) reach the probe; "
          + "give fewer or shorter class patterns."
      )
    }
    environment.preload(probe)
    environment.set("LIFELINE_OPTIONS", to: text)
    child = ChildProcess(
      path: inspection.path, arguments: arguments ?? ProgramArguments([program]), environment: environment,
      repetition: options.repetition)
    child.momentSignal = options.momentSignal
  }

  /// The trace of the process while it runs, once it has one; after an exec the last one. For a process without one,
  /// such as a shell, that of the last process it started.
  func trace(of process: pid_t) -> String? {
    let traces = path.traces(session: session)
    return (traces.last { $0.recording.process == Int(process) } ?? traces.last)?.path
  }

  /// Notes how the processes end that the program starts.
  var descendantEnds: DescendantEnds { DescendantEnds(folder: path.folder, session: session) }

  /// Completes the traces of a process that has ended.
  func result(
    end: Recording.End, others ends: DescendantEnds? = nil, interruption: Recorder.Interruption? = nil, process: pid_t,
    snapshots: [String: HeapSnapshot],
    moments: [UInt64] = []
  ) -> Recorder.Result {
    let traces = path.traces(session: session)
    // After an exec the process has several traces; it ended with the last one.
    let own = traces.last { $0.recording.process == Int(process) }?.path
    for trace in traces {
      if trace.recording.process == Int(process) {
        // The status is that of the last program, which need not be a Swift program.
        let isLast = trace.path == own && trace.recording.end != .replaced
        // A recording that ended before the process keeps its own end.
        let isEnded = trace.recording.end == .detached
        try? TraceSealer(path: trace.path).seal(end: isEnded ? .unknown : isLast ? end : .replaced)
      } else if !Self.isRunning(trace.recording.process) {
        // A descendant that still runs completes its trace later, or the trace is completed when it is read.
        let end = trace.recording.end == .unknown ? ends?.signal(of: trace.recording.process) : nil
        try? TraceSealer(path: trace.path).seal(end: end ?? .unknown, isNow: false)
      }
      if let snapshot = snapshots[trace.path] { Self.store(snapshot, in: HeapSnapshotWriter(path: trace.path)) }
    }
    let others = traces.map(\.path).filter { $0 != own }
    let processes = traces.map { RecordedProcess(path: $0.path, recording: $0.recording) }
    let subjects =
      driver?.subjects(of: processes, process: Int(process))
      ?? processes.filter { !$0.isPackageProgram || $0.trace == own }
    return Recorder.Result(
      end: end, process: Int(process), trace: own, descendants: others, subjects: subjects.map(\.trace),
      reason: subjects.isEmpty ? reason : nil, interruption: interruption,
      moments: moments)
  }

  /// Where there is no room for the heap, there mostly is for the reason.
  private static func store(_ snapshot: HeapSnapshot, in trace: HeapSnapshotWriter) {
    do {
      try trace.append(snapshot)
    } catch {
      let reason = "the heap data could not be written to the trace"
      try? trace.append(HeapSnapshot(process: snapshot.process, refusal: reason))
    }
  }

  /// A number that no process can have is in the trace of a program that is refused its own.
  private static func isRunning(_ process: Int) -> Bool {
    guard let number = pid_t(exactly: process) else { return false }
    return kill(number, 0) == 0 || errno != ESRCH
  }

  private var reason: String {
    if let obstacle = inspection.obstacle { return obstacle }
    if let toggle {
      return
        "No Swift process got SIG\(toggle), or it handles that signal itself; 'kill -\(toggle) PID' begins a recording."
    }
    switch driver?.work {
    case .test:
      return
        "No test process was recorded: the tests were not built or not started, or something cleared "
        + "LD_PRELOAD or LIFELINE_OPTIONS."
    case .run:
      return "The program of 'swift run' was not recorded: it was not built, or is not a Swift program."
    case .other:
      return
        "Nothing but the toolchain's own programs ran, which are not recorded under 'swift'; to record one, give it by "
        + "its own name, such as swift-package."
    case nil: return Self.unexplained(inspection)
    }
  }

  private static func unexplained(_ inspection: ProgramInspection) -> String {
    switch inspection.runtime {
    case .unknown:
      "\(inspection.path) started without the Swift runtime, and no process that it started was recorded; "
        + "a runtime loaded later (dlopen) is not noticed."
    case .shared, .inside, .insideStripped:
      "\(inspection.path) is a Swift program but wrote no trace: something cleared LD_PRELOAD or "
        + "LIFELINE_OPTIONS from its environment, or the trace could not be created or was overwritten."
    }
  }

  /// Checks that traces can be written to the requested paths.
  ///
  /// If files may be replaced, an empty one is removed: a process that ended while it began to record leaves one.
  static func check(_ path: TracePath, replaces: Bool) throws {
    let folder = path.folder
    guard path.hasFixedFolder else {
      throw RecordingError("The folder of the output \(path.pattern) contains %p or %e; only the file name can.")
    }
    var status = stat()
    guard stat(folder, &status) == 0 || errno != ENOENT else {
      throw RecordingError("There is no folder \(folder) for the trace; create it, or choose another with --output.")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw RecordingError(
        "The folder \(folder) is not writable; choose another with --output.")
    }
    guard path.isFixed else { return }
    let file = path.expanded(process: 0, program: "")
    guard lstat(file, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG where replaces && status.st_size == 0: unlink(file)
    case S_IFREG where status.st_size > 0 && !Recording.isTrace(path: file):
      throw RecordingError("The file \(file) already exists and is not a trace; choose another with --output.")
    case S_IFREG where replaces: return
    case S_IFREG: throw RecordingError("The file \(file) already exists; use --force to replace it.")
    case S_IFLNK: throw RecordingError("\(file) is a symbolic link; choose another file.")
    default: throw RecordingError("\(file) is not a regular file; choose another file.")
    }
  }

  /// Nil if there are none, or if the kernel (before 5.9) does not tell.
  private static var callFilters: Int? {
    let line = ProcessFile.lines(of: "/proc/self/status").first { $0.hasPrefix("Seccomp_filters:") }
    let count = line.flatMap { $0.split(separator: "\t").last.flatMap { Int($0) } } ?? 0
    return count > 0 ? count : nil
  }
}
