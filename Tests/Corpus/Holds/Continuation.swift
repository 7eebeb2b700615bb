// object: Call#1
// verdict: late
// rule: task
// finding: late-deallocation
// A suspended task keeps the call in its frame until it is resumed, on another thread.
import Foundation
final class Call: @unchecked Sendable { var answers = 0; func answer() { answers += 1 }; deinit { died.signal() } }
final class Phone { var call: Call? = Call() }
nonisolated(unsafe) var resume: CheckedContinuation<Void, Never>?
let waiting = DispatchSemaphore(value: 0), died = DispatchSemaphore(value: 0)
@inline(never) func ring(_ phone: Phone) {
  let call = phone.call!
  Task.detached {
    await withCheckedContinuation { resume = $0; waiting.signal() }
    call.answer()
  }
}
@inline(never) func hangUp(_ phone: Phone) {
  phone.call = nil // OWNER
}
let phone = Phone()
ring(phone)
waiting.wait()
hangUp(phone)
resume?.resume()
died.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
