// object: Panel#1
// verdict: never
// rule: 
// finding: none
// The token is discarded, and the block keeps the panel: live at exit.
import Foundation
final class Panel { var updates = 0 }
final class Window { var panel: Panel? = Panel() }
let name = Notification.Name("Changed")
@inline(never) func open(_ window: Window) {
  let panel = window.panel!
  _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in panel.updates += 1 }
}
@inline(never) func close(_ window: Window) {
  window.panel = nil // OWNER
}
let window = Window()
open(window)
close(window)
NotificationCenter.default.post(name: name, object: nil)
print("end")
