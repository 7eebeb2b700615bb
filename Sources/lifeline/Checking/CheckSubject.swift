import Glibc
import LifelineRecording
import LifelineReporting
import LifelineTrace

/// The subject of `check`: a trace, or a program with its arguments.
struct CheckSubject {
  private enum Kind { case trace, program(ProgramArguments) }

  private let words: [String]
  private let kind: Kind

  /// `words` are the arguments that are not options. A program follows `--`; without it, an executable file that is not
  /// a trace is also a program.
  ///
  /// - Throws: `TraceError` if it is neither.
  init(_ words: [String]) throws {
    self.words = words
    if CommandLine.arguments.dropFirst(2).contains("--") {
      kind = .program(ProgramArguments(lastOfOurs: words.count))
    } else if Self.isProgram(words[0]) {
      kind = .program(ProgramArguments(words))
    } else if words.count == 1, access(words[0], F_OK) == 0 {
      kind = .trace
    } else if access(words[0], F_OK) == 0 {
      throw TraceError("Only one trace can be checked at a time; unexpected argument \(words[1]).")
    } else {
      throw TraceError(
        "There is no trace \(words[0]). To check a program, put -- before it: "
          + ShellText(["lifeline", "check", "--"] + words).text
      )
    }
  }

  /// Rejects a program that a command takes only after --.
  ///
  /// - Throws: `TraceError`.
  static func refuseProgram(_ words: [String], verb: String) throws {
    guard let first = words.first, isProgram(first) else { return }
    throw TraceError(
      "\(first) is a program, not a trace; to run it, put -- before it: "
        + ShellText(["lifeline", verb, "--"] + words).text)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else { return false }
    return (try? Recording.read(path: path)) == nil
  }

  /// How the program of a trace ended, if it exited or a signal ended it.
  private static func end(in trace: String) -> Recording.End? {
    guard let end = try? Recording.read(path: trace).end else { return nil }
    switch end {
    case .exit, .signal: return end
    case .unknown, .replaced, .detached: return nil
    }
  }

  /// Whether it is a program, which can be run.
  var isProgram: Bool { if case .program = kind { true } else { false } }

  /// What there is to check, and how the program ended.
  struct Recorded {
    let traces: [String]
    /// Index of the trace of the process that was started.
    let started: Int?
    /// For an existing trace nil if it does not say.
    let end: Recording.End?
    /// Why there is no trace, or nil.
    let reason: String?
    /// Every trace that was written, including those of processes that only served a build.
    let all: [String]
    /// What ended the program early.
    let interruption: Recorder.Interruption?
    fileprivate let folder: ScratchFolder?
    /// Whether the traces are kept.
    var isKept: Bool { folder == nil }

    /// Removes the traces unless they are kept.
    func remove() { folder?.remove() }
  }

  /// Runs the program, or names the trace.
  ///
  /// - Throws: `RecordingError`, `TraceError`.
  func record(_ options: RecordingOptions) throws -> Recorded {
    guard case .program(let arguments) = kind else {
      return Recorded(
        traces: [words[0]], started: 0, end: Self.end(in: words[0]), reason: nil, all: [words[0]], interruption: nil,
        folder: nil)
    }
    var options = options
    // A path without a slash is looked up in PATH.
    let program =
      CommandLine.arguments.dropFirst(2).contains("--") || words[0].contains("/") ? words[0] : "./\(words[0])"
    let folder = options.output == nil ? try ScratchFolder() : nil
    if let folder { options.output = "\(folder.path)/%e.%p.lifeline" }
    do {
      let result = try Recorder(options: options).record(program, arguments: arguments)
      return Recorded(
        traces: result.subjects, started: result.trace.flatMap(result.subjects.firstIndex), end: result.end,
        reason: result.reason,
        all: [result.trace].compactMap { $0 } + result.descendants, interruption: result.interruption, folder: folder)
    } catch {
      folder?.remove()
      throw error
    }
  }
}
