// What the kinds of references cost, and what each does when its object is gone.
//
// From unowned-unsafe-delegate.txt: Objective-C kept one locked list of all weak references, so creating and
// destroying them was expensive; Swift keeps a count with each object instead, so a weak delegate does no
// harm. The costs are measured next to each other and printed, not judged, since they depend on the machine.
// The claim itself is asserted: a weak reference does not get more expensive when there are many others.
//
// Found: nothing while the object lives; afterwards weak reads nil, unowned traps, unowned(unsafe) uses freed memory.
import Foundation
import LifelineScenarios

enum ReferenceCosts {
  class Target { func touch() {} }

  final class References {
    var plain: Target
    weak var weakly: Target?
    unowned var unowned: Target
    unowned(unsafe) var unsafe: Target

    init(_ target: Target) {
      plain = target
      weakly = target
      unowned = target
      unsafe = target
    }
  }

  final class WeakBox { weak var target: Target?; init(_ target: Target) { self.target = target } }

  private static let rounds = 250

  /// Nanoseconds of one call, the best of many short measurements: on a busy machine the long ones are interrupted.
  private static func nanoseconds(_ body: () -> Void) -> Double {
    (0..<40).map { _ in
      let start = DispatchTime.now().uptimeNanoseconds
      for _ in 0..<rounds { body() }
      return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(rounds)
    }.min()!
  }

  static func measure() {
    let target = Target()
    let references = References(target)
    for (name, time) in [
      ("plain", nanoseconds { references.plain.touch() }), ("weak", nanoseconds { references.weakly?.touch() }),
      ("unowned", nanoseconds { references.unowned.touch() }), ("unowned(unsafe)", nanoseconds { references.unsafe.touch() }),
    ] { tell("\(name): \(Int(time.rounded())) ns a call") }
    let alone = nanoseconds { _ = WeakBox(target) }
    let others = (0..<5000).map { _ in Target() }
    let crowd = others.map(WeakBox.init)
    let crowded = nanoseconds { _ = WeakBox(target) }
    tell("making a weak reference: \(Int(alone.rounded())) ns alone, \(Int(crowded.rounded())) ns beside \(crowd.count) others")
    observe("the crowd makes it three times as dear", crowded > 3 * alone, is: false)
  }

  final class UnownedBox { unowned let target: Target; init(_ target: Target) { self.target = target } }

  /// References whose target died when this returned.
  @inline(never) private static func dangling() -> (weakly: WeakBox, unowned: UnownedBox, unsafe: () -> Target) {
    let target = opaque(Target())
    return (WeakBox(target), UnownedBox(target), { [unowned(unsafe) target] in target })
  }

  @inline(never) private static func touch(_ box: UnownedBox) { box.target.touch() }  // <- dead target

  static let scenario = Scenario(
    "ReferenceCosts", "Plain, weak, unowned and unowned(unsafe) references side by side", from: "unowned-unsafe-delegate.txt",
    variants: [
      Variant("measured", "The four kinds are measured next to each other while their object lives.", expect: [.live("Target", count: 0)]) {
        measure()
      },
      Variant("weak-after-death", "A weak reference reads nil.", expect: [.live("Target", count: 0)]) {
        observe("the weak reference is nil", dangling().weakly.target == nil, is: true)
      },
      Variant(
        "unowned-after-death", "An unowned reference stops the program.", ending: .signal(6),
        expect: [.found("unowned-after-deinit", "ReferenceCosts.Target#1", lines: ["access": "dead target"])]
      ) { touch(dangling().unowned) },
      Variant(
        "unsafe-after-death", "An unowned(unsafe) reference uses memory that now belongs to something else.",
        expect: [.found("use-after-free", "Target#1")]
      ) { opaque(dangling().unsafe()).touch() },
    ])
}
