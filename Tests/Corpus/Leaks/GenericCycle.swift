// leak: 1 Store, 1 Observer
// path: Store.observers, Observer.store
// A cycle of two generic classes with fields of dependent layout.
final class Store<State> {
  var state: State
  var observers: [Observer<State>] = []
  init(_ state: State) { self.state = state }
}
final class Observer<State> {
  var last: State
  var store: Store<State>?
  init(_ last: State) { self.last = last }
}
@inline(never) func observe<State>(_ state: State) -> Int {
  let store = Store(state) // ALLOC
  let observer = Observer(state) // ALLOC
  store.observers.append(observer)
  #if !CLEAN
  observer.store = store // KEPT
  #endif
  return store.observers.count
}
print(observe((1, "two", 3.0)))
