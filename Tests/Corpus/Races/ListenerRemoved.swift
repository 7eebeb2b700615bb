// class: Listener
// kind: use-after-free
// Listeners are called outside the lock that protects their list; one is removed and freed meanwhile.
import Foundation
class Listener { var told = 0; func tell() { told += 1 } }
final class Subject: @unchecked Sendable {
  private let lock = NSLock()
  private var listeners: [Unmanaged<Listener>] = []
  func add(_ listener: Listener) { lock.withLock { listeners.append(.passUnretained(listener)) } }
  func removeAll() { lock.withLock { listeners.removeAll() } }
  @inline(never) func tellAll() {
    #if CLEAN
    lock.withLock { for listener in listeners { listener.takeUnretainedValue().tell() } }
    #else
    let now = lock.withLock { listeners }
    for listener in now { listener.takeUnretainedValue().tell() } // ACCESS
    #endif
  }
}
final class Owner: @unchecked Sendable {
  var listeners = [Listener(), Listener(), Listener()] // ALLOC
  @inline(never) func drop(_ subject: Subject) {
    subject.removeAll()
    listeners = [] // FREE
  }
}
let subject = Subject(), owner = Owner()
for listener in owner.listeners { subject.add(listener) }
let running = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "events"), group = DispatchGroup()
queue.async(group: group) { _ = running.signal() }
for _ in 0..<4 { queue.async(group: group) { subject.tellAll() } }
running.wait()
usleep(2500)
owner.drop(subject)
group.wait()
print("end")
