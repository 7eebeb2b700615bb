// Variables of a function that calls dispatchMain() keep what functions that have returned made for them.
import Dispatch
import Glibc
final class Router { var app: App? }
final class App {
  let router = Router()
  init() { router.app = self }
}
final class Server { let port: Int; var peer: Server?; init(_ port: Int) { self.port = port } }
@inline(never) func makeServer(_ port: Int) -> Server { Server(port) }
@inline(never) func makePair() -> (Server, Int) {
  let first = Server(1), second = Server(2)
  first.peer = second
  second.peer = first
  return (first, 3)
}
struct Config {
  var servers: [Server] = []
  var last: Server?
  @inline(never) mutating func add(_ port: Int) -> Int {
    let server = Server(port)
    servers.append(server)
    last = Server(port + 1)
    return servers.count
  }
}
@inline(never) func visit(_ body: (Server) -> Void) -> Int {
  let server = Server(9)
  body(server)
  return server.port
}
@inline(never) func give(_ body: (Server) -> Void) { body(Server(11)) }
@inline(never) func fill(_ list: inout [Server]) { list.append(Server(10)) }
final class Late { let name = "late" }
@inline(never) func run(_ port: Int) -> Never {
  let app = App(), server = makeServer(port), pair = makePair()
  var config = Config(), current: Server?, given: Server?, list: [Server] = []
  var sum = config.add(port) + visit { current = $0 }
  fill(&list)
  give { given = $0 }
  sum += (current?.port ?? 0) + (given?.port ?? 0) + list.count + (app.router.app == nil ? 0 : 1) + server.port + pair.1
  let late = Late()
  print(sum, late.name, config.servers.count)
  DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { exit(0) }
  dispatchMain()
}
run(CommandLine.argc == 1 ? 80 : 81)
