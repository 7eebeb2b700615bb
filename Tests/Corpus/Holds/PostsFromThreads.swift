// object: Panel#1
// verdict: late
// rule: notification-post
// finding: none
// A post on another thread keeps an observer that the main thread has removed and released.
import Foundation
final class Panel: @unchecked Sendable { var updates = 0; var token: (any NSObjectProtocol)? }
final class Window { var panel: Panel? }
let name = Notification.Name("Changed")
let posting = DispatchSemaphore(value: 0), proceed = DispatchSemaphore(value: 0), posted = DispatchSemaphore(value: 0)
let window = Window()
@inline(never) func open() {
  let panel = Panel()
  window.panel = panel
  panel.token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
    panel.updates += 1
    posting.signal()
    proceed.wait()
  }
}
@inline(never) func close() {
  NotificationCenter.default.removeObserver(window.panel!.token!)
  window.panel!.token = nil
  window.panel = nil // OWNER
}
open()
Thread.detachNewThread { NotificationCenter.default.post(name: name, object: nil); posted.signal() }
posting.wait()
close()
proceed.signal()
posted.wait()
print("end")
