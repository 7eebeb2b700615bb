// object: Engine#1
// While the block that holds the engine runs, a dash uses it through its gauge, a final class without calls of accessors.
import Dispatch
class Engine: @unchecked Sendable {
  var speed = 900
  func turn() -> Int {
    speed += 1
    return speed
  }
}
final class Car: @unchecked Sendable {
  var engine: Engine? = Engine()
  @inline(never) func stop() { engine = nil }
}
final class Gauge: @unchecked Sendable {
#if CLEAN
  weak var engine: Engine?
#else
  unowned(unsafe) let engine: Engine?
#endif
  init(_ engine: Engine?) { self.engine = engine }
}
final class Dash: @unchecked Sendable {
  let gauge: Gauge
  var shown = 0
  init(_ gauge: Gauge) { self.gauge = gauge }
  @inline(never) func show() {
    shown += gauge.engine?.turn() ?? 0 // ACCESS
  }
}
let car = Car(), dash = Dash(Gauge(car.engine)), queue = DispatchQueue(label: "drive")
@inline(never) func drive() {
  let engine = car.engine!
  queue.async {
    _ = engine.turn()
    dash.show()
  }
}
queue.suspend()
drive()
car.stop()
queue.resume()
queue.sync {}
print("end", dash.shown >= 0)
