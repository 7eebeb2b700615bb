// object: Session#1
// One function gives a task the object and has the owner release it; meanwhile a registry uses its uncounted reference.
import Foundation
class Session: @unchecked Sendable { var pings = 0; func ping() { pings += 1 } }
nonisolated(unsafe) var kept = 0
@inline(never) func keep(_ session: Session) { kept += session.pings }
final class Registry {
#if CLEAN
  weak var current: Session?
  @inline(never) func add(_ session: Session) { current = session }
  @inline(never) func ping() { current?.ping() }
#else
  var current: Unmanaged<Session>?
  @inline(never) func add(_ session: Session) { current = .passUnretained(session) }
  @inline(never) func ping() {
    guard let session = current?.takeUnretainedValue() else { return } // ACCESS
    session.ping() // ACCESS
    keep(session) // ACCESS
  }
#endif
}
final class Server {
  var session: Session?
  let registry = Registry()
  @inline(never) func open() {
    session = Session()
    registry.add(session!)
  }
  @inline(never) func close() { session = nil }
}
@inline(never) func work(_ session: Session) async {
  try? await Task.sleep(nanoseconds: 30_000_000)
  session.ping()
}
@inline(never) func run(_ server: Server) async {
  let task = Task { [session = server.session!] in await work(session) }
  server.close()
  server.registry.ping()
  await task.value
}
let server = Server()
server.open()
await run(server)
try? await Task.sleep(nanoseconds: 50_000_000)
print("end")
