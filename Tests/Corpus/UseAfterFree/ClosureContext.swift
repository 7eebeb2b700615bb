// class: Handler
// kind: over-release
// A closure's context releases a reference that was already given away.
final class Handler { var calls = 0 }
final class Button { var action: (() -> Int)? }
@inline(never) func install(_ button: Button) -> Unmanaged<Handler> {
  let handler = Handler() // ALLOC
  button.action = { handler.calls }
  return .passUnretained(handler)
}
@inline(never) func consume(_ handler: Unmanaged<Handler>) {
  #if !CLEAN
  handler.release() // FREE
  #endif
}
@inline(never) func remove(_ button: Button) {
  button.action = nil // ACCESS
}
let button = Button()
consume(install(button)) // FREE-CALL
remove(button)
print("end")
