// leak: 4 Screen, 1 Router
// path: Router.open, Screen.router
// change: Make Screen.router weak or unowned
// A generic class refers back to its owner, for several type arguments.
protocol Showable: AnyObject { var title: String { get } }
final class Router { var open: [any Showable] = [] }
final class Screen<Content>: Showable {
  let content: Content
  var router: Router?
  init(_ content: Content, _ router: Router) {
    self.content = content
    #if !CLEAN
    self.router = router // KEPT
    #endif
  }
  var title: String { "\(content)" }
}
@inline(never) func run() -> Int {
  let router = Router() // ALLOC
  router.open.append(Screen(1, router)) // ALLOC KEPT
  router.open.append(Screen("two", router)) // ALLOC KEPT
  router.open.append(Screen(3.0, router)) // ALLOC KEPT
  router.open.append(Screen([4], router)) // ALLOC KEPT
  return router.open.reduce(0) { $0 + $1.title.count }
}
print(run()) // KEPT-CALL
