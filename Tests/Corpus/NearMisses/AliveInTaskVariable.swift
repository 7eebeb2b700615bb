// object: Session#1
// The program ends while an asynchronous function waits that has the session in a local variable. In the twin
// another object holds it, too, and passes its reference to the task only after the session was used.
import Foundation
final class Session: @unchecked Sendable { var hits = 0; @inline(never) func touch() { hits += 1 } }
final class Router: @unchecked Sendable {
  unowned(unsafe) var session: Session?
  @inline(never) func route() {
    session?.touch() // ACCESS
  }
}
final class App: @unchecked Sendable { var session: Session? = Session(); let router = Router() }
#if CLEAN
final class Archive: @unchecked Sendable { var session: Session? }
let archive = Archive()
#endif
nonisolated(unsafe) var resume: CheckedContinuation<Void, Never>?
let waiting = DispatchSemaphore(value: 0), used = DispatchSemaphore(value: 0), taken = DispatchSemaphore(value: 0)
@inline(never) func follow(_ app: App) async {
#if CLEAN
  archive.session = app.session
  app.router.session = app.session
  waiting.signal()
  await waitUntilUsed()
  let session = archive.session!
  archive.session = nil
#else
  let session = app.session!
  app.router.session = session
  waiting.signal()
#endif
  await withCheckedContinuation { resume = $0; taken.signal() }
  session.touch()
}
@inline(never) func waitUntilUsed() async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { used.wait(); continuation.resume() }
  }
}
@inline(never) func begin(_ app: App) { Task.detached { await follow(app) } }
@inline(never) func drop(_ app: App) { app.session = nil }
let app = App()
begin(app)
waiting.wait()
#if !CLEAN
taken.wait()
#endif
drop(app)
app.router.route()
used.signal()
#if CLEAN
taken.wait()
#endif
print("end")
