// leak: 1 Router, 1 Users
// path: Router.handlers, closure
// change: self weakly or unowned in the closures at main.swift:22 and main.swift:23 ([weak self])
// not: Users.router
// Of two captures and a property from a younger object to an older one, the property is the only owner.
final class Router {
  private var handlers: [String: (Int) -> Int] = [:]
  @inline(never) func add(_ path: String, _ handler: @escaping (Int) -> Int) { handlers[path] = handler }
  @inline(never) func route(_ path: String, _ value: Int) -> Int { handlers[path]?(value) ?? -1 }
}
final class Users {
  let router: Router
  var names = ["Ada", "Grace"]
  init(router: Router) { self.router = router } // KEPT
  @inline(never) func mount() {
    #if CLEAN
    router.add("/count") { [unowned self] in $0 + names.count }
    router.add("/first") { [unowned self] in $0 + names[0].utf8.count }
    #else
    // The closures are the only references back.
    //
    router.add("/count") { self.names.count + $0 } // KEPT
    router.add("/first") { self.names[0].utf8.count + $0 } // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let users = Users(router: Router()) // ALLOC
  users.mount()
  return users.router.route("/count", 1) + users.router.route("/first", 2)
}
print(run())
