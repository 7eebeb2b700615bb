// leak: 1 State
// path: State.next
// An object that refers to itself.
final class State { var next: State?; var number = 1 }
@inline(never) func close(_ state: State) {
  #if !CLEAN
  state.next = state // KEPT
  #endif
}
@inline(never) func final() -> Int {
  let state = State() // ALLOC
  close(state) // KEPT-CALL
  return state.number
}
print(final())
