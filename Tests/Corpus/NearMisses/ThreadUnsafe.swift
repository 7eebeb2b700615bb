// object: Screen#1
// A thread's block holds it, and uses it through an unowned(unsafe) reference that another object inherited.
import Foundation
class Screen { var shown = 0; func show() { shown += 1 } }
#if CLEAN
class BaseRouter { weak var screen: Screen?; init(_ screen: Screen) { self.screen = screen } }
final class Router: BaseRouter, @unchecked Sendable { @inline(never) func route() { screen?.show() } }
#else
class BaseRouter { unowned(unsafe) var screen: Screen; init(_ screen: Screen) { self.screen = screen } }
final class Router: BaseRouter, @unchecked Sendable { @inline(never) func route() { screen.show() } } // ACCESS
#endif
final class App: @unchecked Sendable {
  var screen: Screen?
  var router: Router?
  @inline(never) func open() { screen = Screen() }
  @inline(never) func wire() { router = Router(screen!) }
  @inline(never) func close() { screen = nil }
}
let closed = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
@inline(never) func start(_ app: App) {
  let router = app.router!
  let screen = app.screen!
  let thread = Thread {
    closed.wait()
    router.route()
    _ = screen.shown
    done.signal()
  }
  thread.start()
}
@inline(never) func run() {
  let app = App()
  app.open()
  app.wire()
  start(app)
  app.close()
  closed.signal()
  done.wait()
}
run()
Thread.sleep(forTimeInterval: 0.1)
print("end")
