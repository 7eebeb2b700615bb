import Glibc
import LifelineHeap
import LifelineTrace

/// A recording that is started and ended in a running process.
public struct Attachment: Sendable {
  public let process: Int
  /// Path of its trace.
  public let trace: String

  /// Starts to record a process.
  ///
  /// - Throws: `AttachError`, `RecordingError`; the process then continues unchanged.
  public static func begin(_ process: Int, options: RecordingOptions) throws -> Attachment {
    let lock = try AttachLock(process)
    defer { lock.release() }
    let target = try TargetProcess(process)
    if let trace = target.trace { throw AttachError("Process \(process) is already being recorded, into \(trace).") }
    var chosen = options
    let path = TracePath(output: options.output)
    chosen.output = path.pattern
    try RecordingStart.check(path, replaces: options.force)
    chosen.quiet = true  // the process's output stays its own
    let text = chosen.text(session: UInt64.random(in: 1...UInt64.max), inherited: OptionText())
    guard text.text.utf8.count <= OptionText.limit else {
      throw AttachError(
        "The options take \(text.text.utf8.count) bytes, but at most \(OptionText.limit) reach the probe; "
          + "give fewer or shorter class patterns."
      )
    }
    // Two probes in a process would not see each other's work.
    let probe = try target.library(ProbeLocator.fileName).map { loadedPath($0.path) } ?? ProbeLocator().locate()
    guard probe.utf8.count < 4096 else { throw AttachError("The path of the probe, \(probe), is too long.") }
    var call = try InjectedCall(target)
    let function = InjectedCall.Function(library: probe, name: "lifeline_attach", argument: text.text)
    if let problem = try call.call(function) {
      throw AttachError("Process \(process) cannot be recorded: \(lowercased(problem))")
    }
    let name = TargetProcess.link("/proc/\(process)/exe")?.split(separator: "/").last.map(String.init) ?? ""
    return Attachment(process: process, trace: target.trace ?? path.expanded(process: process, program: name))
  }

  /// Ends a recording that was started this way.
  ///
  /// - Throws: `AttachError` if the process is not recorded, or not by us.
  public static func end(_ process: Int) throws -> Attachment {
    let lock = try AttachLock(process)
    defer { lock.release() }
    let target = try TargetProcess(process)
    guard let probe = target.library(ProbeLocator.fileName) else {
      throw AttachError("Process \(process) is not being recorded.")
    }
    let trace = target.trace
    var call = try InjectedCall(target)
    let function = InjectedCall.Function(library: loadedPath(probe.path), name: "lifeline_detach", argument: "")
    if let problem = try call.call(function) { throw AttachError(refusal(problem, of: process)) }
    return Attachment(process: process, trace: trace ?? "")
  }

  /// Whether the process is still being recorded.
  public var isRecording: Bool {
    (try? Recording.read(path: trace)).map { $0.state == .recording } == true && isRunning
  }

  /// Whether the process has not ended.
  public var isRunning: Bool {
    let text = ProcessFile.text(of: "/proc/\(process)/stat")
    guard let end = text.lastIndex(of: ")") else { return false }
    let state = text[text.index(after: end)...].first { $0 != " " }
    return state != "Z" && state != "X"
  }

  /// Completes the trace of a process that has ended.
  public func complete() { try? TraceSealer(path: trace).seal(end: .unknown) }

  /// The dynamic linker's name for a library whose file was deleted.
  private static func loadedPath(_ path: String) -> String {
    path.hasSuffix(" (deleted)") ? String(path.dropLast(" (deleted)".count)) : path
  }

  /// "Process 4711 is not being recorded.", from "It is not being recorded."
  private static func refusal(_ problem: String, of process: Int) -> String {
    problem.hasPrefix("It ")
      ? "Process \(process)\(problem.dropFirst(2))" : "Process \(process): \(lowercased(problem))"
  }

  private static func lowercased(_ sentence: String) -> String {
    let text = sentence.prefix(1).lowercased() + sentence.dropFirst()
    return text.hasSuffix(".") ? text : text + "."
  }
}
