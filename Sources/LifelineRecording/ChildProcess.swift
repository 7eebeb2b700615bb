import CPtrace
import Glibc
import LifelineTrace

/// Starts a program as if the user had, and waits for it.
///
/// The program gets our standard streams, folder, process group, and the signal mask and dispositions that we were
/// started with, except that SIGCHLD is not ignored. Signals sent to us are passed on; those of the terminal reach it
/// directly.
struct ChildProcess {
  let path: String
  let arguments: ProgramArguments
  let environment: ChildEnvironment
  /// For a program's second run: its output is hidden, it gets no terminal to read, and it leads its own process group.
  var repetition: Repetition?
  /// Whether its output goes to our standard error, because standard output has our answer.
  var printsToErrors = false
  /// A signal that is not passed on: its moments are noted.
  var momentSignal: Int32?

  /// Every signal that would end us and leave the program without a parent that waits for it, except those raised by
  /// our own faults and those that cannot be blocked.
  private static let passedOn =
    [
      SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ,
      SIGVTALRM, SIGPROF,
      SIGIO, SIGPWR,
    ] + Array(firstRealTimeSignal...lastRealTimeSignal)
  // SIGRTMIN and SIGRTMAX are macros that Swift does not import; the C library reserves 32 and 33.
  private static let firstRealTimeSignal: Int32 = 34
  private static let lastRealTimeSignal: Int32 = 64

  /// Signals by which users, and programs acting for them, end a program.
  private static let interruptions: Set = [SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM]

  /// Milliseconds between checks of a time limit.
  private static let pause: Int32 = 100
  /// Milliseconds between looks at a trace that is being created.
  private static let shortPause: Int32 = 5

  /// How a run ended.
  struct Outcome {
    let end: Recording.End
    let interruption: Recorder.Interruption?
    /// When the `momentSignal` came, in nanoseconds of the monotonic clock.
    let moments: [UInt64]
  }

  /// Runs it to its end; `started` gets its process ID, and `ends` notes the processes that it starts. Meanwhile this
  /// thread also examines processes that end: the kernel reports a stopped process to the first thread that waits,
  /// which must be the one that stopped it.
  ///
  /// - Throws: `RecordingError` if it cannot be started.
  func run(serving examiner: HeapExaminer?, noting ends: DescendantEnds? = nil, started: (pid_t) -> Void) throws
    -> Outcome
  {
    var watched = sigset_t()
    sigemptyset(&watched)
    for number in Self.passedOn + [SIGCHLD] { sigaddset(&watched, number) }
    var original = sigset_t()
    pthread_sigmask(SIG_BLOCK, &watched, &original)
    let signals = signalfd(-1, &watched, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    defer {
      // Signals for a program that has ended in the meantime must not end us before its trace is complete.
      var atOnce = timespec()
      while sigtimedwait(&watched, nil, &atOnce) > 0 {}
      pthread_sigmask(SIG_SETMASK, &original, nil)
      if signals >= 0 { close(signals) }
    }
    guard signals >= 0 else {
      throw RecordingError("Cannot wait for signals: \(String(cString: strerror(errno))).")
    }
    // The parent process may ignore SIGCHLD: the kernel would then send no signal and keep no status. As in timeout(1),
    // this is undone before the start; undone after it, a program that ends immediately would be missed.
    signal(SIGCHLD, SIG_DFL)
    let child = try spawn(mask: original)
    started(child)
    var watch = repetition.map { Repetition.Watch($0, process: child) }
    var interruption: Recorder.Interruption?
    var moments: [UInt64] = []
    while true {
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child || ended < 0 && errno == ECHILD {
        examiner?.serveWaiting()
        watch?.endRest()
        if Self.interruptions.contains(status & 0x7F) { interruption = interruption ?? .told }
        return Outcome(
          end: ended == child ? Self.end(status) : .unknown, interruption: interruption, moments: moments)
      }
      if watch?.endWhenOver() == true { interruption = .limit }
      var sources = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: examiner?.listener ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ends?.listener ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      poll(&sources, 3, ends?.isWaiting == true ? Self.shortPause : watch == nil ? -1 : Self.pause)
      if sources[2].revents != 0 || ends?.isWaiting == true { ends?.serve() }
      if sources[1].revents != 0 { examiner?.serve() }
      var information = signalfd_siginfo()
      while read(signals, &information, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
        if Self.interruptions.contains(Int32(information.ssi_signo)) { interruption = interruption ?? .told }
        // A key press reaches our whole process group; signals sent only to us are passed on.
        let number = Int32(information.ssi_signo)
        if number == SIGCHLD { continue }
        if number == momentSignal {
          moments.append(MonotonicClock.nanoseconds)
        } else if let watch {
          watch.send(number)
        } else if information.ssi_code <= 0 {
          kill(child, number)
        }
      }
    }
  }

  static func end(_ status: Int32) -> Recording.End {
    let number = status & 0x7F
    return number == 0 ? .exit(Int((status >> 8) & 0xFF)) : .signal(Int(number))
  }

  /// Starts it. With a file for its output it reads nothing and leads its own process group, like a repetition, so that
  /// it can be ended with everything it started.
  ///
  /// - Throws: `RecordingError` if it cannot be started.
  func spawn(mask: sigset_t, output: String? = nil) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    }
    if repetition != nil {
      if isatty(STDIN_FILENO) == 1 {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      }
      for stream in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
      }
    }
    if printsToErrors { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    var ignored = WriteSignals.ignored
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        | (output == nil && repetition == nil ? 0 : Int16(POSIX_SPAWN_SETPGROUP)))
    var child: pid_t = 0
    var words = Self.pointers(arguments.words)
    var entries = Self.pointers(environment.entries)
    defer { (words + entries).forEach { $0?.deallocate() } }
    let code = posix_spawn(&child, path, &actions, &attributes, &words, &entries)
    guard code == 0 else {
      let reason = String(cString: strerror(code))
      throw RecordingError(
        code == ENOEXEC
          ? "\(path) is not in an executable format of this system."
          : "The program \(path) could not be started: \(reason).",
        couldNotStart: true)
    }
    return child
  }

  /// A null-terminated array of C strings, which the caller must deallocate.
  private static func pointers(_ texts: [[UInt8]]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { bytes in
      let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
      text[bytes.count] = 0
      return text
    } + [nil]
  }
}
