import LifelineLifetimes

/// An intended leak, such as a cache or a singleton that keeps the objects, with the reason.
public struct LeakAllowance: Sendable {
  let className: String
  let holder: String?
  /// Why they may stay, for readers of the test.
  public let reason: String

  /// Objects of a class may stay: `.leak(of: "Session", because: "one per process")`.
  public static func leak(of className: String, because reason: String) -> Self {
    Self(className: className, holder: nil, reason: reason)
  }

  /// Whatever a class's objects keep may stay: `.held(by: "ImageCache", because: "emptied at the memory warning")`.
  public static func held(by className: String, because reason: String) -> Self {
    Self(className: "", holder: className, reason: reason)
  }

  /// The message if it covers nothing: it is out of date, or its name is misspelled.
  var idleText: String {
    let subject = holder.map { "what \($0) holds" } ?? className
    return "The allowance for \(subject) (\(reason)) covers nothing that is alive. Remove it or correct the name."
  }

  /// Whether any live object matches, whichever test allocated it, because only one test allocates a singleton.
  func isUsed(in snapshot: Snapshot) -> Bool {
    let name = holder ?? className
    return snapshot.tracker.liveObjects.contains {
      let id = snapshot.tracker.id(of: $0)
      return id.shortClassName == name || id.className == name
    } || snapshot.olderClasses.contains(name)
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
