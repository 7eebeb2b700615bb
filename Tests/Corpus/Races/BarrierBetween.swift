// class: Store
// kind: use-after-free
// A reader asks a queue whether the store is open and then enqueues its work; a barrier that closes the store runs in between.
import Foundation
class Store: @unchecked Sendable { var reads = 0; func read() { reads += 1 } }
final class Database: @unchecked Sendable {
  private let queue = DispatchQueue(label: "database", attributes: .concurrent)
  private var owned: Store? = Store() // ALLOC
  private let store: Unmanaged<Store>
  private var closings = 0
  init() { store = .passUnretained(owned!) }
  @inline(never) func close() {
    queue.async(flags: .barrier) { [self] in
      owned = nil // FREE
      noteClosed()
    }
  }
  @inline(never) private func noteClosed() { closings += 1 }
  @inline(never) func read() {
    #if CLEAN
    queue.async { [self] in
      if owned != nil { store._withUnsafeGuaranteedRef { $0.read() } }
    }
    #else
    guard queue.sync(execute: { owned != nil }) else { return }
    queue.async { [store] in
      store._withUnsafeGuaranteedRef { $0.read() } // ACCESS
    }
    #endif
  }
  func drain() { queue.sync(flags: .barrier) {} }
}
let database = Database()
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  for _ in 0..<5 { database.read() }
  done.signal()
}
running.wait()
usleep(6000)
database.close()
done.wait()
database.drain()
print("end")
