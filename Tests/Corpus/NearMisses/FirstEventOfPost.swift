// object: Listener#1
// The owner's release is the first event seen inside the post, which has held the object only since then.
import Foundation
class Listener { var volume = 1; func level() -> Int { volume } }
class Mixer {
#if CLEAN
  weak var solo: Listener?
#else
  unowned let solo: Listener
#endif
  init(_ solo: Listener) { self.solo = solo }
#if CLEAN
  @inline(never) func level() -> Int { solo?.level() ?? 0 }
#else
  @inline(never) func level() -> Int {
    solo.level() // ACCESS
  }
#endif
}
struct Registration { let listener: Listener; let token: any NSObjectProtocol }
let name = Notification.Name("Muted")
final class Hub {
  var registrations: [Registration] = []
  @inline(never) func add(_ listener: Listener) {
    let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
      listener.volume = 0
    }
    registrations.append(Registration(listener: listener, token: token))
  }
  @inline(never) func removeAll() {
    for registration in registrations { NotificationCenter.default.removeObserver(registration.token) }
    registrations.removeAll()
  }
}
nonisolated(unsafe) let hub = Hub()
nonisolated(unsafe) var mixer: Mixer?
@inline(never) func start() {
  let listener = Listener()
  hub.add(listener)
  mixer = Mixer(listener)
}
nonisolated(unsafe) let first = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
  hub.removeAll()
  print(mixer!.level())
}
start()
NotificationCenter.default.post(name: name, object: nil)
print("end")
