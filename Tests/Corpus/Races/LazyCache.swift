// class: Cache
// kind: use-after-free
// Two threads find the cache missing and create it; the second store releases what the first thread got but has not retained yet.
import Foundation
class Cache { var hits = 0; func hit() { hits += 1 } }
final class Store: @unchecked Sendable {
  private let lock = NSLock()
  private var cache: Cache?
  @inline(never) func current() -> Unmanaged<Cache> {
    #if CLEAN
    return lock.withLock {
      if cache == nil { cache = Cache() }
      return .passUnretained(cache!)
    }
    #else
    if lock.withLock({ cache == nil }) { // FREE
      let made = Cache() // ALLOC
      lock.withLock { cache = made } // FREE
    }
    return lock.withLock { .passUnretained(cache!) }
    #endif
  }
  @inline(never) func use() { current().takeUnretainedValue().hit() } // ACCESS
}
let store = Store()
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  store.use()
  done.signal()
}
running.wait()
usleep(1500)
store.use()
done.wait()
print("end")
