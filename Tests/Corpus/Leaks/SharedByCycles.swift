// leak: 3 Connection, 1 Server
// path: Connection.onClose, closure
// change: Capture connection weakly or unowned in the closure at main.swift:23 ([weak connection])
// not: as soon as
// Each connection's closure captures the connection and the server: only all of them together keep the server.
final class Connection {
  let number: Int
  var onClose: (() -> Void)?
  init(_ number: Int) { self.number = number }
}
final class Server {
  private var open: [Int: Connection] = [:]
  private var served = 0
  private func remove(_ connection: Connection) {
    open[connection.number] = nil
    served += connection.number
  }
  func accept(_ number: Int) {
    let connection = Connection(number) // ALLOC
    #if CLEAN
    connection.onClose = { [weak connection] in if let connection { self.remove(connection) } }
    #else
    connection.onClose = { self.remove(connection) } // KEPT
    #endif
    open[number] = connection
  }
  func close() -> Int {
    for connection in open.values { connection.onClose?() }
    return served
  }
}
@inline(never) func run() -> Int {
  let server = Server() // ALLOC
  for number in 1...3 { server.accept(number) } // KEPT
  return server.close()
}
print(run()) // KEPT
