// object: Session#1
// The program ends while a task that captured the session is suspended; the app had already released the session.
import Foundation
final class Session: @unchecked Sendable { var hits = 0; @inline(never) func touch() { hits += 1 } }
final class Router {
#if CLEAN
  weak var session: Session?
#else
  unowned(unsafe) var session: Session?
#endif
  @inline(never) func route() {
    session?.touch() // ACCESS
  }
}
final class App { var session: Session? = Session(); let router = Router() }
nonisolated(unsafe) var resume: CheckedContinuation<Void, Never>?
let waiting = DispatchSemaphore(value: 0)
@inline(never) func begin(_ app: App) {
  let session = app.session!
  app.router.session = session
  Task.detached {
    await withCheckedContinuation { resume = $0; waiting.signal() }
    session.touch()
  }
}
@inline(never) func drop(_ app: App) { app.session = nil }
let app = App()
begin(app)
waiting.wait()
drop(app)
app.router.route()
print("end")
