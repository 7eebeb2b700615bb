// class: Badge
// kind: use-after-free
// A block observer of NotificationCenter that outlives the object it updates.
import Foundation
class Badge { var count = 0; func update() { count += 1 } }
final class Screen { var badge: Badge? }
let name = Notification.Name("MessagesChanged")
@inline(never) func open(_ screen: Screen) -> NSObjectProtocol {
  let badge = Badge() // ALLOC
  screen.badge = badge
  return NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [unowned(unsafe) badge] _ in
    badge.update() // ACCESS
  }
}
@inline(never) func close(_ screen: Screen) {
  screen.badge = nil // FREE
}
let screen = Screen()
let token = open(screen)
#if !CLEAN
close(screen)
#endif
NotificationCenter.default.post(name: name, object: nil)
NotificationCenter.default.removeObserver(token)
close(screen)
print("end")
