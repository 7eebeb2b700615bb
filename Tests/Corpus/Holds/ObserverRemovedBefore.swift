// object: Panel#1
// verdict: on time
// rule: 
// finding: none
// The owner removes the observer before anything is posted.
import Foundation
final class Panel { var updates = 0; var token: (any NSObjectProtocol)? }
final class Window { var panel: Panel? }
let name = Notification.Name("Changed")
let window = Window()
@inline(never) func open() {
  let panel = Panel()
  window.panel = panel
  panel.token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak panel] _ in panel?.updates += 1 }
}
@inline(never) func close() {
  NotificationCenter.default.removeObserver(window.panel!.token!)
  window.panel = nil // OWNER
}
open()
NotificationCenter.default.post(name: name, object: nil)
close()
NotificationCenter.default.post(name: name, object: nil)
print("end")
