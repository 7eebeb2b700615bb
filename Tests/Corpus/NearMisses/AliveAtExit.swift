// object: Buffer#1
// The program ends while a block that captured the buffer still waits; its file had already released the buffer.
import Foundation
final class Buffer: @unchecked Sendable { var bytes = 0; func append(_ n: Int) { bytes += n } }
final class Writer: @unchecked Sendable {
#if CLEAN
  weak var buffer: Buffer?
#else
  unowned let buffer: Buffer
#endif
  init(_ buffer: Buffer) { self.buffer = buffer }
#if CLEAN
  @inline(never) func write() { buffer?.append(1) }
#else
  @inline(never) func write() {
    buffer.append(1) // ACCESS
  }
#endif
}
final class File: @unchecked Sendable {
  var buffer: Buffer? = Buffer()
  @inline(never) func close() { buffer = nil }
}
@inline(never) func start(_ file: File, _ ready: DispatchSemaphore) {
  let buffer = file.buffer!
  DispatchQueue.global().async {
    buffer.append(2)
    ready.signal()
    sleep(100)
    buffer.append(3)
  }
}
@inline(never) func run() {
  let file = File()
  let writer = Writer(file.buffer!)
  let ready = DispatchSemaphore(value: 0)
  start(file, ready)
  ready.wait()
  file.close()
  writer.write()
}
run()
print("end")
