// object: Model#1
// An observer lets go of a notification's object, which the post still holds, and a view then uses it through an unsafe
// reference.
import Foundation
class Model { var value = 1; func read() -> Int { value } }
final class Store { var model: Model? = Model() }
nonisolated(unsafe) var seen = 0
@inline(never) func keep(_ model: Model) { seen += model.value }
final class View {
#if CLEAN
  weak var model: Model?
#else
  unowned(unsafe) let model: Model
#endif
  init(_ model: Model) { self.model = model }
#if CLEAN
  @inline(never) func refresh() { seen += model?.read() ?? 0 }
#else
  @inline(never) func refresh() {
    seen += model.read() // ACCESS
    keep(model) // ACCESS
  }
#endif
}
nonisolated(unsafe) let store = Store()
nonisolated(unsafe) let view = View(store.model!)
let changed = Notification.Name("changed")
let token = NotificationCenter.default.addObserver(forName: changed, object: nil, queue: nil) { _ in
  store.model = nil
  view.refresh()
}
@inline(never) func announce() { NotificationCenter.default.post(name: changed, object: store.model) }
announce()
NotificationCenter.default.removeObserver(token)
print("end")
