// class: Buffer
// kind: use-after-free
// A pool frees a buffer that one thread returned while another still writes to it.
import Foundation
class Buffer { var bytes = 0; func write() { bytes += 1 } }
final class Pool: @unchecked Sendable {
  private let lock = NSLock()
  private var free: [Buffer] = []
  func put(_ buffer: Buffer) { lock.withLock { free.append(buffer) } }
  @inline(never) func trim() {
    lock.withLock { free.removeAll() } // FREE
  }
}
final class Writer: @unchecked Sendable {
  let buffer: Unmanaged<Buffer>
  init(_ buffer: Buffer) { self.buffer = .passUnretained(buffer) }
  @inline(never) func write() { buffer.takeUnretainedValue().write() } // ACCESS
}
@inline(never) func make() -> Buffer { Buffer() } // ALLOC
let pool = Pool()
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
func start() -> Thread {
  let buffer = make()
  let writer = Writer(buffer)
  pool.put(buffer)
  return Thread {
    running.signal()
    for _ in 0..<12 { writer.write() }
    done.signal()
  }
}
let thread = start()
thread.start()
#if CLEAN
done.wait()
pool.trim()
#else
running.wait()
usleep(2500)
pool.trim()
done.wait()
#endif
print("end")
