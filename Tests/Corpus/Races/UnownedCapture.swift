// class: Loader
// kind: unowned-after-deinit
// A block on a queue has an unowned reference to an object that its owner releases soon after; the block is nearly always first.
import Foundation
let running = DispatchSemaphore(value: 0)
class Loader: @unchecked Sendable {
  var loaded = 0
  @inline(never) func load(_ queue: DispatchQueue, _ group: DispatchGroup) {
    #if CLEAN
    queue.async(group: group) { [self] in
      running.signal()
      loaded += 1
    }
    #else
    queue.async(group: group) { [unowned self] in
      running.signal() // ACCESS
      loaded += 1 // ACCESS
    }
    #endif
  }
}
final class Owner: @unchecked Sendable { var loader: Loader? = Loader() } // ALLOC
let owner = Owner()
let queue = DispatchQueue(label: "loads"), group = DispatchGroup()
owner.loader!.load(queue, group)
running.wait()
usleep(2000)
@inline(never) func letGo() {
  owner.loader = nil // FREE
}
letGo()
group.wait()
print("end")
