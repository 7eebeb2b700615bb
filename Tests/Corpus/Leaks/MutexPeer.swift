// leak: 1 Server, 2 Client
// path: Client.peer, Server.clients
// change: Set Client.peer to nil when it is no longer needed
// not: weak
// What a mutex protects cannot be declared weak.
import Synchronization
final class Client: Sendable {
  let peer = Mutex<Server?>(nil)
}
final class Server: Sendable {
  let clients: [Client]
  init(clients: [Client]) { self.clients = clients }
  @inline(never) func start() {
    for client in clients { client.peer.withLock { $0 = self } } // KEPT
  }
  @inline(never) func stop() {
    for client in clients { client.peer.withLock { $0 = nil } }
  }
}
@inline(never) func run() -> Int {
  let server = Server(clients: [Client(), Client()]) // ALLOC
  server.start() // KEPT-CALL
  #if CLEAN
  server.stop()
  #endif
  return server.clients.count
}
print(run())
