// object: Session#1
// The session is the argument of an asynchronous function that waits when the program ends. In the twin a variable of
// a running function holds it when it is used, and passes it to the task afterwards.
import Foundation
final class Session: @unchecked Sendable { var hits = 0; @inline(never) func touch() { hits += 1 } }
final class Router: @unchecked Sendable {
  unowned(unsafe) var session: Session?
  @inline(never) func route() {
    session?.touch() // ACCESS
  }
}
final class App: @unchecked Sendable { var session: Session? = Session(); let router = Router() }
nonisolated(unsafe) var resume: CheckedContinuation<Void, Never>?
let waiting = DispatchSemaphore(value: 0)
@inline(never) func follow(_ session: Session) async {
  await withCheckedContinuation { resume = $0; waiting.signal() }
  session.touch()
}
@inline(never) func drop(_ app: App) { app.session = nil }
#if CLEAN
@inline(never) func run(_ app: App) {
  let session = app.session!
  app.router.session = session
  let thread = Thread {
    drop(app)
    app.router.route()
    waiting.signal()
  }
  thread.start()
  waiting.wait()
  Task.detached { await follow(session) }
  waiting.wait()
}
#else
@inline(never) func begin(_ app: App) {
  let session = app.session!
  app.router.session = session
  Task.detached { await follow(session) }
}
@inline(never) func run(_ app: App) {
  begin(app)
  waiting.wait()
  drop(app)
  app.router.route()
}
#endif
run(App())
print("end")
