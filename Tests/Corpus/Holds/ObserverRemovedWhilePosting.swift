// object: Panel#1
// verdict: late
// rule: notification-post
// finding: none
// In close() the property and the variable release the object one after the other: two equal releases of one call.
// An observer is removed by another one while the notification is posted; the post keeps its block until it ends.
import Foundation
final class Panel { var updates = 0; var token: (any NSObjectProtocol)?; func update() { updates += 1 } }
final class Window { var panel: Panel? }
let name = Notification.Name("Changed")
@inline(never) func open(_ window: Window) {
  let panel = Panel()
  window.panel = panel
  panel.token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in panel.update() }
}
@inline(never) func close(_ window: Window) {
  guard let panel = window.panel else { return }
  NotificationCenter.default.removeObserver(panel.token!)
  panel.token = nil
  window.panel = nil // OWNER
} // OWNER
let window = Window()
let closer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in close(window) }
open(window)
NotificationCenter.default.post(name: name, object: nil)
NotificationCenter.default.removeObserver(closer)
print("end")
