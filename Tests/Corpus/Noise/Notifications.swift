// Observers added and removed while notifications are posted, nested, from two threads.
import Foundation
let name = Notification.Name("Noise")
final class Watcher: @unchecked Sendable {
  private var token: (any NSObjectProtocol)?
  private(set) var seen = 0
  init() { token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in self?.seen += 1 } }
  deinit { token.map(NotificationCenter.default.removeObserver) }
}
var watchers = (0..<5).map { _ in Watcher() }
for round in 0..<40 {
  NotificationCenter.default.post(name: name, object: nil)
  if round % 4 == 0 { watchers.removeFirst(); watchers.append(Watcher()) }
}
let done = DispatchSemaphore(value: 0)
Thread.detachNewThread { for _ in 0..<20 { NotificationCenter.default.post(name: name, object: nil) }; done.signal() }
done.wait()
print(watchers.count)
