// leak: 3 Cell
// path: Cell.state.listeners, closure
// change: Capture source weakly
// Each cell's listener captures its own cell and the next one: two cycles in a row, and one capture to change.
import Synchronization
final class Cell: Sendable {
  struct State { var value = 0; var listeners: [@Sendable (Int) -> Void] = [] }
  let state = Mutex(State())
  let version = Atomic<Int>(0)
  func set(_ value: Int) {
    let listeners = state.withLock { state in
      state.value = value
      return state.listeners
    }
    version.add(1, ordering: .relaxed)
    for listener in listeners { listener(value) }
  }
  func listen(_ listener: @escaping @Sendable (Int) -> Void) { state.withLock { $0.listeners.append(listener) } } // KEPT
}
@inline(never) func link(_ source: Cell, _ target: Cell) {
  #if CLEAN
  source.listen { [weak source, weak target] in
    target?.set($0 + (source?.version.load(ordering: .relaxed) ?? 0))
  }
  #else
  source.listen { target.set($0 + source.version.load(ordering: .relaxed)) } // KEPT
  #endif
}
@inline(never) func run() -> Int {
  let cells = [Cell(), Cell(), Cell()] // ALLOC
  link(cells[0], cells[1])
  link(cells[1], cells[2])
  cells[0].set(3)
  return cells[2].state.withLock { $0.value }
}
print(run())
