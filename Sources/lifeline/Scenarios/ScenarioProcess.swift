import Glibc
import LifelineRecording
import LifelineTrace

/// A process of a run: its output goes to files, it has a time limit, and the caller polls for its end.
struct ScenarioProcess {
  private let process: pid_t
  private let outputPath: String
  private let errorPath: String
  private let deadline: Double
  /// Exit status, or 128 + signal number.
  private(set) var status: Int32 = -1
  private(set) var wasStopped = false

  /// Starts it; `limit` is in seconds.
  init(_ words: [String], folder: ScratchFolder, name: String, limit: Double) throws {
    outputPath = "\(folder.path)/\(name).out"
    errorPath = "\(folder.path)/\(name).err"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Its own process group, so that a hanging run can be ended with everything it started.
    posix_spawnattr_setpgroup(&attributes, 0)
    var ignored = WriteSignals.ignored
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    // Makes the order of sets and dictionaries deterministic; a crash is a result and needs no backtrace.
    var environment =
      Self.environment(["SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"]).map { strdup($0) } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0], &actions, &attributes, &arguments, &environment)
    guard code == 0 else { throw TraceError("\(words[0]) could not be started: \(String(cString: strerror(code))).") }
    process = child
    deadline = MonotonicClock.seconds + limit
  }

  /// Whether it has ended; at its time limit it is ended.
  mutating func hasEnded() -> Bool {
    var raw: Int32 = 0
    guard waitpid(process, &raw, WNOHANG) == process else {
      if !wasStopped, MonotonicClock.seconds > deadline {
        wasStopped = true
        kill(-process, SIGKILL)
      }
      return false
    }
    let signal = raw & 0x7F
    status = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
    return true
  }

  var output: String { (try? InputFile(path: outputPath).read()) ?? "" }
  var errors: String { (try? InputFile(path: errorPath).read()) ?? "" }

  private static func environment(_ changes: [String: String]) -> [String] {
    var entries: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if !changes.keys.contains(where: { text.hasPrefix("\($0)=") }) { entries.append(text) }
      next += 1
    }
    return entries + changes.map { "\($0)=\($1)" }.sorted()
  }
}
