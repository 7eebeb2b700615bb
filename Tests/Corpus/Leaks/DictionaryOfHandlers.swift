// leak: 1 Router, 1 Controller
// path: Router.routes, closure, Controller.router
// A cycle through a dictionary of closures.
final class Router { var routes: [String: () -> Int] = [:] }
final class Controller {
  let router: Router
  var requests = 0
  init(_ router: Router) { self.router = router }
  @inline(never) func register() {
    router.routes["/a"] = { self.requests += 1; return self.requests } // KEPT
    router.routes["/b"] = { 0 }
  }
}
@inline(never) func serve() -> Int {
  let router = Router() // ALLOC
  let controller = Controller(router) // ALLOC
  controller.register() // KEPT-CALL
  let answer = router.routes["/a"]!()
  #if CLEAN
  router.routes = [:]
  #endif
  return answer
}
print(serve())
