// object: Panel#1
// verdict: on time
// rule: 
// finding: none
// The function has the panel in a variable; what runs meanwhile keeps another object.
final class Panel { var updates = 0 }
final class Lock { var taken = 0 }
final class Window { var panel: Panel? = Panel() }
@inline(never) func close(_ window: Window) { window.panel = nil }
@inline(never) func update(_ window: Window, _ lock: Lock) {
  let panel = window.panel!
  withExtendedLifetime(lock) {
    close(window)
    print(lock.taken)
  }
  panel.updates += 1
  print(panel.updates)
}
let window = Window()
update(window, Lock())
print("end")
