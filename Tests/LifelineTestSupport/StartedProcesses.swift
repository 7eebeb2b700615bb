import Foundation
import Synchronization

/// The running programs of tests, so that interrupting a test run ends them too.
enum StartedProcesses {
  /// Read by a signal handler, so it is never moved or locked; 0 marks a free slot.
  private nonisolated(unsafe) static let places: UnsafeMutablePointer<pid_t> = {
    let places = UnsafeMutablePointer<pid_t>.allocate(capacity: capacity)
    places.initialize(repeating: 0, count: capacity)
    return places
  }()
  private static let capacity = 256
  private static let lock = Mutex(false)

  static func add(_ process: pid_t) {
    lock.withLock { isPrepared in
      if !isPrepared { prepare() }
      isPrepared = true
      if let place = (0..<capacity).first(where: { places[$0] == 0 }) { places[place] = process }
    }
  }

  static func remove(_ process: pid_t) {
    lock.withLock { _ in
      if let place = (0..<capacity).first(where: { places[$0] == process }) { places[place] = 0 }
    }
  }

  private static func prepare() {
    _ = places
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        for place in 0..<StartedProcesses.capacity where StartedProcesses.places[place] != 0 {
          kill(-StartedProcesses.places[place], SIGKILL)
        }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
