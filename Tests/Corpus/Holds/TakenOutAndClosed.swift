// object: Session#1
// verdict: on time
// rule:
// finding: none
// Functions take the session out of the server to close it cleanly: its parts still use it on purpose.
final class Session {
  var closings = 0
  var stream: Stream?
  @inline(never) func end() { stream!.finish() }
}
final class Stream {
  unowned let session: Session
  init(_ session: Session) { self.session = session }
  @inline(never) func finish() { session.closings += 1 }
}
final class Server {
  var session: Session?
  @inline(never) func open() {
    let session = Session()
    session.stream = Stream(session)
    self.session = session
  }
  @inline(never) func close() {
    let session = session!
    self.session = nil
    session.stream!.finish()
    session.end()
  }
}
@inline(never) func run() {
  let server = Server()
  server.open()
  server.close()
}
run()
print("end")
