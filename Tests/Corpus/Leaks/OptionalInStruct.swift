// leak: 1 Session, 1 Socket
// path: Session.state.socket, Socket.owner
// A cycle through a struct of optionals inside a property.
struct State { var started = false; var socket: Socket?; var port: Int? }
final class Session { var state = State() }
final class Socket {
  #if CLEAN
  weak var owner: Session?
  #else
  var owner: Session?
  #endif
}
@inline(never) func attach(_ socket: Socket, to session: Session) {
  socket.owner = session // KEPT
  session.state = State(started: true, socket: socket, port: 80)
}
@inline(never) func connect() -> Bool {
  let session = Session() // ALLOC
  let socket = Socket() // ALLOC
  attach(socket, to: session) // KEPT-CALL
  return session.state.started
}
print(connect())
