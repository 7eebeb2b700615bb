// leak: 1 Machine, 1 Idle, 1 Running, 1 Done
// path: Machine.history, Idle.machine
// change: Make State.machine weak or unowned
// Each state has its machine from a superclass's initializer, and reads it only to pass it on to the next state.
class State {
  #if CLEAN
  unowned let machine: Machine
  #else
  let machine: Machine
  #endif
  init(_ machine: Machine) {
    self.machine = machine // KEPT
  }
  func next() -> State? { nil }
}
final class Idle: State {
  override func next() -> State? { Running(machine) } // ALLOC
}
final class Running: State {
  override func next() -> State? { Done(machine) } // ALLOC
}
final class Done: State {}
final class Machine {
  var state: State?
  var history: [State] = []
  func start() {
    state = Idle(self) // ALLOC
  }
  func step() -> Bool {
    guard let current = state, let next = current.next() else { return false }
    history.append(current)
    state = next
    return true
  }
}
@inline(never) func run() -> Int {
  let machine = Machine() // ALLOC
  machine.start()
  var steps = 0
  while machine.step() { steps += 1 }
  return steps
}
print(run())
