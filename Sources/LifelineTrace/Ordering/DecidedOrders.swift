import Synchronization

/// The orders of windows that took long to decide, for the next reading of the same trace: a report reads it twice.
final class DecidedOrders: Sendable {
  struct Window {
    /// Identifies the window's events: those of a trace that is still being written change.
    let fingerprint: UInt64
    let order: [UInt16]
    let decided: Int
    let failures: Int
  }

  /// About 50 million events whose order is hard to find, at two bytes each and two more for those examined again.
  private static let limit = 128 << 20

  private let windows = Mutex<(orders: [Int: Window], size: Int, used: Int)>(([:], 0, 0))

  /// Number of kept windows.
  var count: Int { windows.withLock { $0.orders.count } }

  /// How often a reading took a kept order instead of deciding it.
  var usedCount: Int { windows.withLock { $0.used } }

  /// The window with a number, counted from the beginning of the trace, if it is kept and has the same events.
  func window(_ number: Int, fingerprint: () -> UInt64) -> Window? {
    guard let window = windows.withLock({ $0.orders[number] }), window.fingerprint == fingerprint() else { return nil }
    windows.withLock { $0.used += 1 }
    return window
  }

  func keep(_ window: Window, number: Int) {
    let size = window.order.count * MemoryLayout<UInt16>.stride
    windows.withLock { windows in
      guard windows.size + size <= Self.limit, windows.orders[number] == nil else { return }
      windows.orders[number] = window
      windows.size += size
    }
  }
}
