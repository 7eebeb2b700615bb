// object: Panel#1
// verdict: late
// rule: notification-post
// finding: none
// In close() the property and the variable release the object one after the other: two equal releases of one call.
// The inner post's observer removes the outer one's: the outer post keeps it alive.
import Foundation
final class Panel { var updates = 0; var token: (any NSObjectProtocol)? }
final class Window { var panel: Panel? }
let outer = Notification.Name("Outer"), inner = Notification.Name("Inner")
let window = Window()
@inline(never) func open() {
  let panel = Panel()
  window.panel = panel
  panel.token = NotificationCenter.default.addObserver(forName: outer, object: nil, queue: nil) { _ in
    panel.updates += 1
    NotificationCenter.default.post(name: inner, object: nil)
  }
}
@inline(never) func close() {
  guard let panel = window.panel else { return }
  NotificationCenter.default.removeObserver(panel.token!)
  panel.token = nil
  window.panel = nil // OWNER
} // OWNER
let closer = NotificationCenter.default.addObserver(forName: inner, object: nil, queue: nil) { _ in close() }
open()
NotificationCenter.default.post(name: outer, object: nil)
NotificationCenter.default.removeObserver(closer)
print("end")
