// leak: 2 Connection
// path: Connection.onClose, closure
// Blocks of one queue are called by the same thunk, in which the program also ends.
import Dispatch
import Glibc
final class Connection: @unchecked Sendable {
  let id: Int
  var onClose: (() -> Void)?
  init(_ id: Int) { self.id = id }
  func close() {
    onClose?()
    #if CLEAN
    onClose = nil
    #endif
  }
}
final class Server: @unchecked Sendable {
  var connections: [Int: Connection] = [:]
  let queue = DispatchQueue(label: "server")
  func accept(_ id: Int) {
    queue.async {
      let connection = Connection(id) // ALLOC
      connection.onClose = { self.connections[connection.id] = nil } // KEPT
      self.connections[id] = connection
    }
  }
  func close(_ id: Int) { queue.async { self.connections[id]?.close() } }
}
let server = Server()
for id in 0..<4 { server.accept(id) }
server.close(1)
server.close(2)
server.queue.async { print(server.connections.count); exit(0) }
dispatchMain()
