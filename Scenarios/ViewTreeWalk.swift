// What it costs a page to search the whole view tree when it dies.
//
// From delegate-dangling-pointer.txt, which measured 0.002 s for the deinit of a page that walks 320 views
// against 0.0001 s for a plain one, twenty times as much. Here both are measured in the same process; the
// times are printed, and what holds on any machine is asserted: 320 views are visited, and the walk is more
// expensive than none. (The article's factor depends on what a plain deinit does; here it only counts.)
//
// Found: nothing.
import Dispatch
import LifelineScenarios

enum ViewTreeWalk {
  final class PlainPage { init() {} }

  final class WalkingPage {
    private let root: View
    private let visits: Tally
    init(_ root: View, _ visits: Tally) {
      self.root = root
      self.visits = visits
    }
    deinit { root.walk { _ in visits.add() } }
  }

  /// A root with 319 views below it, eight to each.
  static func tree() -> View {
    let root = View()
    var views = [root]
    while views.count < 320 {
      let view = View()
      views[(views.count - 1) / 8].add(view)
      views.append(view)
    }
    return root
  }

  private static func nanoseconds(_ body: () -> Void) -> UInt64 {
    (0..<20).map { _ in
      let start = DispatchTime.now().uptimeNanoseconds
      body()
      return DispatchTime.now().uptimeNanoseconds - start
    }.min()!
  }

  static let scenario = Scenario(
    "ViewTreeWalk", "Finding the sheet by walking 320 views, measured", from: "delegate-dangling-pointer.txt",
    variants: [
      Variant("measured", "A deinit that walks the tree, and one that does not.", expect: [.live("View", count: 0), .live("WalkingPage", count: 0)]) {
        let root = tree()
        let visits = Tally()
        let plain = nanoseconds { opaque(PlainPage()) }
        let walking = nanoseconds { opaque(WalkingPage(root, visits)) }
        observe("views visited by a walk", visits.count / 20, is: 320)
        tell("plain: \(plain) ns, walking: \(walking) ns, \(walking / max(1, plain)) times as much")
        observe("the walk is dearer", walking > plain, is: true)
      }
    ])
}
