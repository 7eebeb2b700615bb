// leak: 1 Registry, 2 Session
// path: Registry.state.sessions, Session.registry
// change: Make Session.registry weak or unowned
// What a mutex protects has names, although the metadata has no type for what cannot be copied.
import Synchronization
final class Session: Sendable {
  let id: Int
  #if CLEAN
  unowned let registry: Registry
  #else
  let registry: Registry
  #endif
  init(id: Int, registry: Registry) { self.id = id; self.registry = registry }
}
final class Registry: Sendable {
  private struct State { var count = 0; var sessions: [Int: Session] = [:] }
  private let state = Mutex(State())
  var count: Int { state.withLock { $0.count } }
  func open(_ id: Int) {
    let session = Session(id: id, registry: self) // ALLOC KEPT
    state.withLock { $0.sessions[id] = session; $0.count += 1 } // KEPT
  }
  func close(_ id: Int) { state.withLock { $0.sessions[id] = nil } }
}
@inline(never) func serve() -> Int {
  let registry = Registry() // ALLOC
  for id in 1...3 { registry.open(id) } // KEPT-CALL
  registry.close(2)
  return registry.count
}
print(serve())
