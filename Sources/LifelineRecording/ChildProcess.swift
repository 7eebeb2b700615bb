import Glibc
import LifelineTrace

/// Starts a program as if the user had, and waits for it.
///
/// The program gets our standard streams, folder, process group, and the signal mask and dispositions that we were
/// started with. Signals sent to us are passed on; those of the terminal reach it by themselves.
struct ChildProcess {
  let path: String
  let arguments: [String]
  let environment: [String: String]

  /// Runs it to its end; `started` is told its process ID.
  ///
  /// - Throws: `RecordingError` when it cannot be started.
  func run(started: (pid_t) -> Void) throws -> Recording.End {
    var watched = sigset_t()
    sigemptyset(&watched)
    for number in [SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2] { sigaddset(&watched, number) }
    var original = sigset_t()
    pthread_sigmask(SIG_BLOCK, &watched, &original)
    defer { pthread_sigmask(SIG_SETMASK, &original, nil) }
    let child = try spawn(mask: original)
    started(child)
    while true {
      var status: Int32 = 0
      if waitpid(child, &status, WNOHANG) == child { return Self.end(status) }
      var information = siginfo_t()
      let number = sigwaitinfo(&watched, &information)
      guard number > 0, number != SIGCHLD else { continue }
      // A key press goes to the whole process group; only what was sent to us alone is passed on.
      if information.si_code <= 0 { kill(child, number) }
    }
  }

  private static func end(_ status: Int32) -> Recording.End {
    let number = status & 0x7F
    return number == 0 ? .exit(Int((status >> 8) & 0xFF)) : .signal(Int(number))
  }

  private func spawn(mask: sigset_t) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = mask
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = self.arguments.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] =
      self.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    let code = posix_spawn(&child, path, nil, &attributes, &arguments, &environment)
    guard code == 0 else {
      let reason = String(cString: strerror(code))
      throw RecordingError(
        code == ENOEXEC ? "\(path) is not in a format that this system can run." : "The program \(path) could not be started: \(reason).",
        couldNotStart: true)
    }
    return child
  }
}
