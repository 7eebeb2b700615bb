// class: Service
// kind: use-after-free
// Objects add themselves to a table and remove themselves in deinit; a lookup may find one that is being deinitialized.
import Foundation
final class Registry: @unchecked Sendable {
  private let lock = NSLock()
  private var table: [Int: Unmanaged<Service>] = [:]
  private var owned: [Int: Service] = [:]
  func add(_ service: Service) { lock.withLock { table[service.number] = .passUnretained(service) } }
  func remove(_ number: Int) { lock.withLock { table[number] = nil } }
  @inline(never) func look(up number: Int) -> Service? {
    lock.withLock { table[number]?.takeUnretainedValue() } // ACCESS
  }
}
let registry = Registry()
class Service: @unchecked Sendable {
  let number: Int
  var calls = 0
  init(_ number: Int) { self.number = number }
  func call() { calls += 1 }
  deinit { registry.remove(number) }
}
final class Owner: @unchecked Sendable {
  let lock = NSLock()
  var service: Service? = Service(1) // ALLOC
  @inline(never) func drop() {
    #if CLEAN
    registry.remove(1)
    lock.withLock {}
    #endif
    service = nil // FREE
  }
}
let owner = Owner()
registry.add(owner.service!)
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  for _ in 0..<10 {
    guard let service = registry.look(up: 1) else { break }
    service.call() // ACCESS
  }
  done.signal()
}
running.wait()
usleep(2000)
owner.drop()
done.wait()
print("end")
