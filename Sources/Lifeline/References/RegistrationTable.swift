import Foundation

/// Tokens of the real center, by the observer they represent.
final class RegistrationTable: @unchecked Sendable {
  private struct Entry {
    let token: any NSObjectProtocol
    let isAlive: () -> Bool
  }

  private let lock = NSLock()
  private var entries: [ObjectIdentifier: [Entry]] = [:]

  /// Keeps a token; returns tokens that were not removed and whose observers are gone.
  func add(_ token: any NSObjectProtocol, for observer: ObjectIdentifier, isAlive: @escaping () -> Bool)
    -> [any NSObjectProtocol]
  {
    lock.lock()
    defer { lock.unlock() }
    var stale: [any NSObjectProtocol] = []
    // An address can be reused, so an earlier observer's entry is removed first.
    for (key, known) in entries {
      let alive = known.filter { $0.isAlive() }
      stale += known.filter { !$0.isAlive() }.map(\.token)
      entries[key] = alive.isEmpty ? nil : alive
    }
    entries[observer, default: []].append(Entry(token: token, isAlive: isAlive))
    return stale
  }

  func remove(_ observer: ObjectIdentifier) -> [any NSObjectProtocol] {
    lock.lock()
    defer { lock.unlock() }
    return entries.removeValue(forKey: observer)?.map(\.token) ?? []
  }
}
