import Lifeline

protocol First: AnyObject { func first() -> Int }
protocol Second: AnyObject { func second() -> Int }
final class Both: First, Second, @unchecked Sendable {
  func first() -> Int { 1 }
  func second() -> Int { 2 }
}

/// A class-constrained generic that holds tracked references of its type parameter.
final class Pair<Element: AnyObject> {
  @TrackedWeak var left: Element?
  @TrackedStrong var right: Element
  init(_ left: Element, _ right: Element) {
    _right = TrackedStrong(right)
    self.left = left
  }
}

enum Shapes {
  static func run() {
    let both = Both()
    let composed = TrackedStrong<any First & Second>(both)
    print(composed.wrappedValue.first() + composed.wrappedValue.second())
    var weakly = TrackedWeak<any First & Second>(both)
    print(weakly.wrappedValue?.second() ?? 0)
    weakly.wrappedValue = nil
    print(weakly.wrappedValue == nil)
    let unownedly = TrackedUnowned<any Second>(both)
    print(unownedly.wrappedValue.second())
    let unsafely = TrackedUnownedUnsafe<(any First)?>(both)
    print(unsafely.wrappedValue?.first() ?? 0)
    let any = TrackedWeak<AnyObject>(both)
    print(any.wrappedValue === both)
    let pair = Pair<Both>(both, both)
    print(pair.left === pair.right)

    var list = (0..<3).map { _ in TrackedWeak(Both()) }
    print(list.map { $0.wrappedValue == nil })
    list[1].wrappedValue = both
    print(list.map { $0.wrappedValue === both })
    var byName = ["a": TrackedUnowned(both)]
    byName["a"]?.wrappedValue = both
    print(byName["a"]!.wrappedValue.first())
    var visited = 0
    for reference in [TrackedUnownedUnsafe(both), TrackedUnownedUnsafe(both)] { visited += reference.wrappedValue.first() }
    for reference in [TrackedUnownedUnsafe<Both?>(both), TrackedUnownedUnsafe<Both?>(nil)] { visited += reference.wrappedValue?.first() ?? 1 }
    for reference in [TrackedWeak(both), TrackedWeak<Both>(nil)] { visited += reference.wrappedValue?.first() ?? 1 }
    for reference in [TrackedStrong(both), TrackedStrong(both)] { visited += reference.wrappedValue.first() }
    print(visited)
    let sendable: any Sendable = TrackedWeak(both)
    print(type(of: sendable))
  }
}
