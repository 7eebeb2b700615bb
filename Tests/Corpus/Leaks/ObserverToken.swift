// leak: 1 Badge
// path: Badge.center, closure
// A block observer captures the object that owns the notification center.
import Foundation
final class Badge {
  let center = NotificationCenter()
  var token: NSObjectProtocol?
  var count = 0
  @inline(never) func observe() {
    token = center.addObserver(forName: Notification.Name("Changed"), object: nil, queue: nil) { _ in // KEPT
      self.count += 1
    }
  }
  func close() {
    if let token { center.removeObserver(token) }
  }
}
@inline(never) func run() -> Int {
  let badge = Badge() // ALLOC
  badge.observe() // KEPT-CALL
  badge.center.post(name: Notification.Name("Changed"), object: nil)
  #if CLEAN
  badge.close()
  #endif
  return badge.count
}
print(run())
