// leak: 1 AppFlow, 1 Login
// path: Login.onFinish, AppFlow.actions, closure
// change: Capture self weakly or unowned in the closure at main.swift:22 ([weak self])
// not: [weak login]
// Of two captures one is the only owner of its object, which is used again after the function that made it.
final class Login {
  private var attempts = 0
  var onFinish: ((String) -> Void)? // KEPT
  @inline(never) func submit(_ name: String) {
    attempts += 1
    if attempts > 1 { onFinish?(name) }
  }
}
final class AppFlow {
  private(set) var user = "nobody"
  private var actions: [String: (String) -> Void] = [:]
  @inline(never) func start() {
    let login = Login() // KEPT
    #if CLEAN
    login.onFinish = { [weak self] name in self?.user = name }
    #else
    login.onFinish = { name in self.user = name } // KEPT
    #endif
    actions["login"] = { name in login.submit(name) } // KEPT
  }
  @inline(never) func tap(_ action: String, _ text: String) { actions[action]?(text) }
}
@inline(never) func run() -> String {
  let flow = AppFlow() // ALLOC
  flow.start()
  flow.tap("login", "ann")
  flow.tap("login", "bob")
  return flow.user
}
print(run())
