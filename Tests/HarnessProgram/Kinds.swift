import Lifeline

class Base {}
protocol Boxed<Content>: AnyObject {
  associatedtype Content
  var content: Content { get }
}
final class Box: Base, First, Boxed {
  let content = 5
  func first() -> Int { 5 }
}

/// Types of wrapped values besides classes: nested optionals, and every kind of existential that only holds classes.
final class Existentials {
  @TrackedStrong var anyObject: AnyObject? = nil
  @TrackedWeak var both: (any First & Second)?
  @TrackedUnowned var ofBase: any First & Base
  @TrackedUnownedUnsafe var constrained: (any Boxed<Int>)? = nil
  @TrackedWeak var weakOptional: Box??
  @TrackedStrong var strongOptional: Box?? = nil
  @TrackedUnowned var unownedOptional: Box?? = nil
  @TrackedUnownedUnsafe var unsafeOptional: Box?? = nil
  @TrackedUnowned var existentialOptional: (any First)?? = nil
  init(_ box: Box) { ofBase = box }
}

/// Never specialized, so the wrapper learns its type only at run time.
final class Unspecialised<Element: AnyObject> {
  @TrackedStrong var strong: Element
  @TrackedWeak var weakly: Element?
  @TrackedUnowned var unownedly: Element
  @TrackedUnownedUnsafe var unsafely: Element
  init(_ element: Element) {
    strong = element
    unownedly = element
    unsafely = element
    weakly = element
  }

  @inline(never) @_optimize(none) func turn(to element: Element) -> [Bool] {
    strong = element
    weakly = element
    unownedly = element
    unsafely = element
    return [strong === element, weakly === element, unownedly === element, unsafely === element]
  }
}

struct Row {
  @TrackedWeak var target: Box? = nil
  @TrackedStrong var child: Box? = nil
}

actor Keeper {
  @TrackedStrong private var kept: Both? = nil
  @TrackedWeak private var seen: Both?
  func keep(_ both: Both?) -> Bool {
    kept = both
    seen = both
    return kept === seen
  }
}

@MainActor final class View {
  @TrackedWeak var parent: Both?
  @TrackedStrong static var shared: Both? = nil
}

class Parent {
  @TrackedWeak var target: Box?
}
final class Child: Parent {
  @TrackedStrong var own: Box? = nil
}

@MainActor
enum Kinds {
  static func run() async {
    optionals()
    existentials()
    let box = Box(), other = Box()
    print(Unspecialised(box).turn(to: other), Unspecialised<AnyObject>(box).turn(to: other))
    var rows = [Row(target: box), Row(), Row(target: nil, child: box)]
    rows[1].target = other
    rows.swapAt(0, 2)
    print(rows.map { $0.target === box }, rows.map { $0.child === box }, rows[1].$target.send { $0.content } ?? 0)
    var byName: [String: [TrackedWeak<Box>?]] = ["a": [TrackedWeak(box), nil]]
    byName["a"]![0]!.wrappedValue = other
    byName["b", default: []].append(TrackedWeak(box))
    print(byName["a"]!.map { $0?.wrappedValue === other }, byName["b"]!.count, byName["a"]![0]!.send { $0.content } ?? 0)
    let keeper = Keeper(), both = Both()
    print(await keeper.keep(both), await Task.detached { await keeper.keep(nil) }.value)
    let view = View()
    view.parent = both
    View.shared = both
    print(view.parent === View.shared, view.$parent.send { $0.first() } ?? 0)
    let child = Child()
    child.target = box
    child.own = box
    print(child.target === child.own, child.$own.send { $0!.content })
    @TrackedWeak var local: Box?
    let set = { local = $0 }
    set(box)
    print(local === box, $local.send { $0.content } ?? 0)
    lastOwner()
  }

  private static func optionals() {
    let box = Box(), it = Existentials(box)
    let values: [Box??] = [box, .some(nil), nil]
    for value in values {
      it.weakOptional = value
      it.strongOptional = value
      it.unownedOptional = value
      it.unsafeOptional = value
      it.existentialOptional = value.map { $0.map { $0 } }
      let existential = it.existentialOptional.map { $0.map { $0.first() } }
      print(text(it.weakOptional), text(it.strongOptional), text(it.unownedOptional), text(it.unsafeOptional), text(existential))
    }
    print(TrackedWeak<Box?>(box).wrappedValue == nil, TrackedWeak<Box?>(nil).wrappedValue == nil)
  }

  private static func text<Value>(_ value: Value??) -> String {
    guard let value else { return "nil" }
    return value == nil ? "some(nil)" : "object"
  }

  private static func existentials() {
    let box = Box(), both = Both(), it = Existentials(box)
    it.anyObject = both
    it.both = both
    it.constrained = box
    print(it.anyObject === both, it.both!.second(), it.ofBase.first(), it.constrained!.content, it.$both.send { $0.first() } ?? 0)
    it.both = nil
    it.constrained = nil
    print(it.both == nil, it.constrained == nil)
  }

  /// A message during which its object's last owner lets go: the reference must retain it meanwhile.
  private static func lastOwner() {
    let owner = Unspecialised(Finishing())
    let result = owner.$unsafely.send { object in
      owner.strong = Finishing()
      return "\(object.finish()), \(Finishing.ended) gone"
    }
    print(result ?? "not sent", Finishing.ended)
  }
}

@MainActor
final class Finishing {
  static var ended = 0
  @inline(never) func finish() -> String { "alive" }
  nonisolated deinit { MainActor.assumeIsolated { Self.ended += 1 } }
}
