// leak: 1 Store, 1 View
// path: View.store, Store.views
// not: View.store
// The younger object refers to the older one, which it alone owns: that reference must not be weak.
final class Store {
  private var views: [View] = []
  var changes = 0
  @inline(never) func attach(_ view: View) { views.append(view) } // KEPT
  #if CLEAN
  @inline(never) func close() { views.removeAll() }
  #else
  @inline(never) func close() { changes = 0 }
  #endif
}
class View {
  let store: Store
  init(store: Store) { self.store = store } // KEPT
  @inline(never) func show() -> Int {
    store.changes += 1
    return store.changes
  }
}
@inline(never) func run() -> Int {
  let view = View(store: Store()) // ALLOC
  view.store.attach(view) // KEPT-CALL
  let shown = view.show() + view.show()
  view.store.close()
  return shown
}
print(run())
