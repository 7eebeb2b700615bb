// object: Controller#1
// A block that holds the controller runs an engine that refers to it unowned. In the twin the engine belongs to the
// controller, by which the block reached it.
import Foundation
final class Engine: @unchecked Sendable {
  unowned let controller: Controller
  init(_ controller: Controller) { self.controller = controller }
  @inline(never) func work() {
    controller.note() // ACCESS
    controller.note() // ACCESS
  }
}
final class Drive: @unchecked Sendable {
  var engine: Engine?
}
final class Controller: @unchecked Sendable {
  var notes = 0
#if CLEAN
  let drive = Drive()
#endif
  func note() { notes += 1 }
}
final class Navigator {
  var controller: Controller? = Controller()
  @inline(never) func pop() { controller = nil }
}
#if !CLEAN
let drive = Drive()
#endif
@inline(never) func start(_ controller: Controller, _ queue: DispatchQueue, _ gate: DispatchSemaphore) {
#if CLEAN
  let drive = controller.drive
#endif
  drive.engine = Engine(controller)
  queue.async {
    gate.wait()
#if CLEAN
    controller.drive.engine!.work()
#else
    drive.engine!.work()
    controller.note()
#endif
  }
}
@inline(never) func run() {
  let navigator = Navigator(), queue = DispatchQueue(label: "work"), gate = DispatchSemaphore(value: 0)
  start(navigator.controller!, queue, gate)
  navigator.pop()
  gate.signal()
  queue.sync {}
}
run()
print("end")
