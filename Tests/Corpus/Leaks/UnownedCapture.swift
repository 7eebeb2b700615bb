// leak: 1 App, 1 Login, 1 Form
// path: Login.onFinish, closure
// change: in the closure at main.swift:26
// Two closures capture the login: the form's keeps nothing, because it captured it unowned.
class Flow {
  private(set) var children: [Flow] = []
  func add(_ child: Flow) { children.append(child) }
  func remove(_ child: Flow) { children.removeAll { $0 === child } }
}
final class Form { var user = ""; var submit: ((String) -> Void)? }
final class Login: Flow {
  var onFinish: ((String) -> Void)?
  let form = Form() // ALLOC
  func start() { form.submit = { [unowned self] in form.user = $0; onFinish?($0) } }
}
final class App: Flow {
  var user: String?
  @inline(never) func start() -> Form {
    let login = Login()
    add(login)
    #if CLEAN
    login.onFinish = { [weak self, weak login] user in
      self?.user = user; if let login { self?.remove(login) }
    }
    #else
    login.onFinish = { user in self.user = user; self.remove(login) } // KEPT
    #endif
    login.start()
    return login.form
  }
}
@inline(never) func run() -> Int {
  let app = App() // ALLOC
  app.start().submit?("Ada")
  return app.children.count
}
print(run())
