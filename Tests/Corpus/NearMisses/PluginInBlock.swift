// object: Engine#1
// A block that holds the engine runs a plugin that refers to its host unowned. In the twin the engine has the plugin,
// by a property whose type is a protocol.
import Foundation
protocol Host: AnyObject { func report(_ number: Int) }
protocol Plugin: AnyObject, Sendable { func run() }
final class Counter: Plugin, @unchecked Sendable {
  unowned let host: any Host
  init(_ host: any Host) { self.host = host }
  @inline(never) func run() {
    host.report(1) // ACCESS
  }
}
final class Engine: Host, @unchecked Sendable {
  var total = 0
#if CLEAN
  var plugins: [any Plugin] = []
#endif
  func report(_ number: Int) { total += number }
}
final class App {
  var engine: Engine? = Engine()
  @inline(never) func quit() { engine = nil }
}
@inline(never) func start(_ engine: Engine, _ queue: DispatchQueue, _ gate: DispatchSemaphore) {
#if CLEAN
  engine.plugins = [Counter(engine)]
  queue.async {
    gate.wait()
    engine.plugins[0].run()
  }
#else
  let plugins: [any Plugin] = [Counter(engine)]
  queue.async {
    gate.wait()
    plugins[0].run()
    engine.report(2)
  }
#endif
}
@inline(never) func run() {
  let app = App(), queue = DispatchQueue(label: "plugins"), gate = DispatchSemaphore(value: 0)
  start(app.engine!, queue, gate)
  app.quit()
  gate.signal()
  queue.sync {}
}
run()
print("end")
