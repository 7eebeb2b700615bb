// Block observers of the default notification center; their tokens are discarded.
import Foundation
final class Watcher: @unchecked Sendable { var seen = 0 }
@inline(never) func watch() {
  let watcher = Watcher()
  _ = NotificationCenter.default.addObserver(forName: Notification.Name("N"), object: nil, queue: nil) { _ in watcher.seen += 1 }
  _ = NotificationCenter.default.addObserver(forName: nil, object: watcher, queue: nil) { _ in }
}
watch()
NotificationCenter.default.post(name: Notification.Name("N"), object: nil)
print("end")
