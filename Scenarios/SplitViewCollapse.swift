// A split view collapses; its delegate claims to have handled the secondary controller, but has not.
//
// From delegation-notifications-operations.txt: returning true from the delegate's collapse method
// means "handled"; the split view then releases the secondary controller. If the delegate does nothing
// with it, it is discarded; if the delegate pushes it onto the primary's navigation stack, it is kept.
//
// Found: discarding it is not an error; code that still refers to it without holding it uses freed memory. Pushed, nothing.
import LifelineScenarios

enum SplitViewCollapse {
  class DetailController: ViewController, @unchecked Sendable {
    func reload() {}
  }

  /// Overrides reload(), so that a call of it asks the controller for it, in optimized builds as well.
  final class PhotoController: DetailController, @unchecked Sendable { override func reload() { tell("reloaded") } }

  final class NavigationController {
    private(set) var stack: [ViewController] = []
    func push(_ controller: ViewController) { stack.append(controller) }
    func pop() -> ViewController? { stack.popLast() }
  }

  final class SplitView {
    let primary = NavigationController()
    private(set) var secondary: ViewController?
    init(_ secondary: ViewController) { self.secondary = secondary }

    /// `handle` is the delegate's method.
    func collapse(_ handle: (ViewController, NavigationController) -> Bool) {
      if isTakenCareOf(handle) { letGo(of: &secondary) }  // <- discarded
    }

    @inline(never) private func isTakenCareOf(_ handle: (ViewController, NavigationController) -> Bool) -> Bool {
      secondary.map { handle($0, primary) } ?? false
    }

    /// Takes back what the primary gives.
    func separate() { secondary = primary.pop() }
  }

  /// Reloads the detail when data arrive.
  final class Loader { unowned(unsafe) var detail: DetailController?; func arrive() { detail!.reload() } }  // <- data arrive

  @inline(never) private static func makeSplitView(_ loader: Loader) -> SplitView {
    let detail = DetailController(title: "detail")
    loader.detail = detail
    return SplitView(detail)
  }

  static func play(loads: Bool, pushed: Bool) {
    let loader = Loader()
    let split = makeSplitView(loader)
    split.collapse { controller, primary in
      if pushed { primary.push(controller) }
      return true
    }
    observe("controllers on the primary's stack", split.primary.stack.count, is: pushed ? 1 : 0)
    if loads { loader.arrive() }
    split.separate()
    observe("the secondary controller is back", split.secondary != nil, is: pushed)
  }

  static let scenario = Scenario(
    "SplitViewCollapse", "A collapse is 'handled' without taking the secondary controller", from: "delegation-notifications-operations.txt",
    variants: [
      Variant(
        "buggy", "The discarded controller is given data.",
        expect: [
          .found(
            "use-after-free", "DetailController#1", access: "message", message: "reload()",
            lines: ["access": "data arrive", "final-release": "discarded"])
        ]
      ) { play(loads: true, pushed: false) },
      Variant("discarded", "The controller is discarded and no longer used.", expect: [.live("DetailController", count: 0)]) {
        play(loads: false, pushed: false)
      },
      Variant("pushed", "The controller is pushed onto the primary's stack and comes back.", expect: [.live("DetailController", count: 0)]) {
        play(loads: true, pushed: true)
      },
    ])
}
