// object: Model#1
// A property wrapper keeps the view's reference; while the task that has the model runs, the view refreshes.
import Foundation
class Model: @unchecked Sendable { var rows = 0; func load() { rows += 1 } }
@propertyWrapper struct Reference<Value: AnyObject> {
#if CLEAN
  weak var object: Value?
#else
  unowned(unsafe) var object: Value?
#endif
  init(wrappedValue: Value?) { object = wrappedValue }
  var wrappedValue: Value? {
    get { object } // ACCESS
    set { object = newValue }
  }
}
final class View: @unchecked Sendable {
  @Reference var model: Model?
  init(_ model: Model) { self.model = model }
  @inline(never) func refresh() {
    model?.load() // ACCESS
  }
}
final class Controller: @unchecked Sendable {
  var model: Model? = Model()
  @inline(never) func close() { model = nil }
}
@inline(never) func start(_ model: Model, _ view: View) -> Task<Void, Never> {
  Task.detached {
    try? await Task.sleep(nanoseconds: 20_000_000)
    model.load()
    view.refresh()
  }
}
let controller = Controller()
@inline(never) func begin(_ controller: Controller) -> Task<Void, Never> {
  start(controller.model!, View(controller.model!))
}
let task = begin(controller)
controller.close()
await task.value
print("end")
