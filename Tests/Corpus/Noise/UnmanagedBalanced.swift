// Correct use of Unmanaged: every retain has its release, on any thread.
import Foundation
final class Payload { var bytes = [1, 2, 3] }
let semaphore = DispatchSemaphore(value: 0)
for _ in 0..<50 {
  let pointer = Unmanaged.passRetained(Payload()).toOpaque()
  nonisolated(unsafe) let context = pointer
  Thread.detachNewThread {
    let payload = Unmanaged<Payload>.fromOpaque(context).takeRetainedValue()
    precondition(payload.bytes.count == 3)
    semaphore.signal()
  }
  semaphore.wait()
}
let kept = Unmanaged.passUnretained(Payload())
_ = kept.toOpaque()
print("end")
