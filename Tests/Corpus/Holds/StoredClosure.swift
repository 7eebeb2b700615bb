// object: Handler#1
// verdict: on time
// rule: 
// finding: none
// A closure in a property holds the handler and is dropped: its owner is the button, not a framework.
final class Handler { var calls = 0; func call() { calls += 1 } }
final class Button { var action: (() -> Void)? }
@inline(never) func install(_ button: Button) {
  let handler = Handler()
  button.action = { handler.call() }
}
@inline(never) func remove(_ button: Button) {
  button.action = nil // OWNER
}
let button = Button()
install(button)
button.action?()
remove(button)
print("end")
