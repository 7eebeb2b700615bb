import Glibc
import Synchronization

/// Signals that ask us to end: noted, so that the terminal and a program that was started are left in order.
enum LiveSignals {
  private static let caught = Atomic<Int32>(0)

  static func note() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { LiveSignals.caught.store($0, ordering: .relaxed) } }
  }

  /// They end us again.
  static func forget() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// The last that came, 0 for none.
  static var last: Int32 { caught.load(ordering: .relaxed) }
}
