// A function gives an object to two blocks and still has it itself: whichever of them ends first, nobody uses the object
// without a claim.
import Dispatch
final class Gate {
  var passed = 0
  var next: Gate?
  @inline(never) func pass() {
    passed += 1
    first.signal()
  }
  @inline(never) func follow(_ gate: Gate) { next = gate }
}
let queue = DispatchQueue(label: "gates", attributes: .concurrent)
let first = DispatchSemaphore(value: 0), opened = DispatchSemaphore(value: 0)
@inline(never) func open() {
  let gate = Gate()
  let other = Gate()
  queue.async { gate.pass() }
  first.wait()
  queue.async(flags: .barrier) {
    opened.wait()
    gate.follow(other)
  }
}
for _ in 0..<60 {
  open()
  opened.signal()
  queue.sync(flags: .barrier) {}
}
print("end")
