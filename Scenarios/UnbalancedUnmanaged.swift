// Manual reference counting that does not add up.
//
// A classic where Swift meets C: passRetained without a release keeps an object forever;
// an extra release frees it under its owner, whose own release then goes to freed memory.
//
// Found: for the missing release, a leak, with the handle live at exit; for the extra release, a use after free where
// the owner, which did nothing wrong, still uses it, with the extra release as the one that ended it. Balanced, nothing.
import LifelineScenarios

enum UnbalancedUnmanaged {
  class Handle {
    func use() {}
  }

  /// Overrides use(), so that a call of it asks the object for it, in optimized builds as well.
  final class TalkingHandle: Handle { override func use() { tell("used") } }

  final class Owner {
    private let handle: Handle
    init(_ handle: Handle) { self.handle = handle }
    func work() { handle.use() }  // <- owner uses
    var unretained: Unmanaged<Handle> { Unmanaged.passUnretained(handle) }
  }

  @inline(never) private static func makeOwner() -> Owner { Owner(Handle()) }

  @inline(never) private static func releaseTooOften(_ handle: Unmanaged<Handle>) {
    opaque(handle).release()  // <- one too many
    tell("released once too often")
  }

  static let scenario = Scenario(
    "UnbalancedUnmanaged", "Unmanaged references that are released too rarely or too often", from: "classic",
    variants: [
      Variant("leaked", "passRetained without a release.", expect: [.live("Handle", count: 1)]) {
        opaque(Unmanaged.passRetained(Handle()))
        tell("handed to C")
      },
      Variant(
        "released-twice", "One release too many.",
        expect: [.found("use-after-free", "Handle#1", lines: ["access": "owner uses", "final-release": "one too many"])]
      ) {
        let owner = makeOwner()
        releaseTooOften(owner.unretained)
        owner.work()
      },
      Variant("balanced", "Each retain has its release.", expect: [.live("Handle", count: 0)]) {
        let handle = Unmanaged.passRetained(Handle())
        handle.takeUnretainedValue().use()
        handle.release()
      },
    ])
}
