// leak: 1 Login, 1 Client
// path: Login.client, Client.login
// not: weak or unowned
// Two services refer to each other; the younger one, which the container keeps, is the only owner of the older one.
final class Login {
  #if CLEAN
  weak var client: Client?
  #else
  var client: Client?
  #endif
  let token = "t"
}
final class Client {
  private let login: Login
  var calls = 0
  init(login: Login) { self.login = login } // KEPT
  @inline(never) func call() -> Int {
    calls += login.token.utf8.count
    return calls
  }
}
final class Container {
  let client: Client
  @inline(never) init() {
    let login = Login() // ALLOC
    let client = Client(login: login) // KEPT
    login.client = client // KEPT
    self.client = client
  }
}
@inline(never) func run() -> Int {
  let container = Container()
  let calls = container.client.call()
  return calls + container.client.call()
}
print(run())
