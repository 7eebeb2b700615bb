import Glibc
import Synchronization

/// Signals that ask lifeline to end, recorded so that it can restore the terminal and end a program it started.
enum LiveSignals {
  private static let caught = Atomic<Int32>(0)

  static func note() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { LiveSignals.caught.store($0, ordering: .relaxed) } }
  }

  /// Restores the default action, which ends the process.
  static func forget() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// The last signal, 0 for none.
  static var last: Int32 { caught.load(ordering: .relaxed) }
}
