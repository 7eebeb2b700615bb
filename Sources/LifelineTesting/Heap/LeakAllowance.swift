import LifelineLifetimes

/// A leak that is meant: a cache or a singleton keeps the objects, and the reason stands beside it.
public struct LeakAllowance: Sendable {
  let className: String
  let holder: String?
  /// Why they may stay: for whoever reads the test.
  public let reason: String

  /// Objects of a class may stay: `.leak(of: "Session", because: "one per process")`.
  public static func leak(of className: String, because reason: String) -> Self {
    Self(className: className, holder: nil, reason: reason)
  }

  /// Whatever a class's objects keep may stay: `.held(by: "ImageCache", because: "emptied at the memory warning")`.
  public static func held(by className: String, because reason: String) -> Self {
    Self(className: "", holder: className, reason: reason)
  }

  func covers(_ object: TrackedObject, in snapshot: Snapshot) -> Bool {
    let own = snapshot.tracker.id(of: object)
    guard let holder else { return own.shortClassName == className || own.className == className }
    return snapshot.tracker.liveObjects.contains { candidate in
      let id = snapshot.tracker.id(of: candidate)
      guard id.shortClassName == holder || id.className == holder else { return false }
      return candidate.address == object.address
        || snapshot.heap.reachable(from: candidate.address).contains(object.address)
    }
  }
}
