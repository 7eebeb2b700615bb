import Lifeline

final class Node: Valued {
  var value = 0
  @inline(never) func touch() { value &+= 1 }
}

protocol Valued: AnyObject { var value: Int { get set } }

/// A class as a user writes it, with a plain and a tracked property of each kind.
///
/// Every access is a call that the compiler may not inline, so that neither side can be moved out of a loop.
final class Owner {
  var strong: Node?
  weak var weakly: Node?
  unowned var unownedly: Node
  unowned(unsafe) var unsafely: Node
  weak var existentially: (any Valued)?
  @TrackedStrong var trackedStrong: Node? = nil
  @TrackedWeak var trackedWeak: Node?
  @TrackedUnowned var trackedUnowned: Node
  @TrackedUnownedUnsafe var trackedUnsafe: Node
  @TrackedWeak var trackedExistential: (any Valued)?

  init(_ node: Node) {
    strong = node
    weakly = node
    unownedly = node
    unsafely = node
    existentially = node
    trackedUnowned = node
    trackedUnsafe = node
    trackedStrong = node
    trackedWeak = node
    trackedExistential = node
  }
}

// Sets.
extension Owner {
  @inline(never) func set(strong node: Node?) { strong = node }
  @inline(never) func set(trackedStrong node: Node?) { trackedStrong = node }
  @inline(never) func set(weakly node: Node?) { weakly = node }
  @inline(never) func set(trackedWeak node: Node?) { trackedWeak = node }
  @inline(never) func set(unownedly node: Node) { unownedly = node }
  @inline(never) func set(trackedUnowned node: Node) { trackedUnowned = node }
  @inline(never) func set(unsafely node: Node) { unsafely = node }
  @inline(never) func set(trackedUnsafe node: Node) { trackedUnsafe = node }
  @inline(never) func set(existentially node: (any Valued)?) { existentially = node }
  @inline(never) func set(trackedExistential node: (any Valued)?) { trackedExistential = node }
}

// Loads.
extension Owner {
  @inline(never) func getStrong() -> Node? { strong }
  @inline(never) func getTrackedStrong() -> Node? { trackedStrong }
  @inline(never) func getWeak() -> Node? { weakly }
  @inline(never) func getTrackedWeak() -> Node? { trackedWeak }
  @inline(never) func getUnowned() -> Node { unownedly }
  @inline(never) func getTrackedUnowned() -> Node { trackedUnowned }
  @inline(never) func getUnsafe() -> Node { unsafely }
  @inline(never) func getTrackedUnsafe() -> Node { trackedUnsafe }
  @inline(never) func getExistential() -> (any Valued)? { existentially }
  @inline(never) func getTrackedExistential() -> (any Valued)? { trackedExistential }
}

// Messages.
extension Owner {
  @inline(never) func tellStrong() { strong?.touch() }
  @inline(never) func tellTrackedStrong() { $trackedStrong.send { $0?.touch() } }
  @inline(never) func tellWeak() { weakly?.touch() }
  @inline(never) func tellTrackedWeak() { $trackedWeak.send { $0.touch() } }
  @inline(never) func tellUnowned() { unownedly.touch() }
  @inline(never) func tellTrackedUnowned() { $trackedUnowned.send { $0.touch() } }
  @inline(never) func tellUnsafe() { unsafely.touch() }
  @inline(never) func tellTrackedUnsafe() { $trackedUnsafe.send { $0.touch() } }
}
