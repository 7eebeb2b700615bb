// Tasks that sleep, and hold objects in their frames.
import Dispatch
final class Ticket: @unchecked Sendable { var number = 1 }
let started = DispatchSemaphore(value: 0)
@inline(never) func wait(_ number: Int) async {
  let ticket = Ticket()
  started.signal()
  try? await Task.sleep(nanoseconds: 1_000_000_000_000)
  ticket.number += number
}
for number in 0..<5 { Task.detached { await wait(number) } }
for _ in 0..<5 { started.wait() }
// They are asleep by now, or soon: either way the program keeps them.
var spins = 0
while spins < 2_000_000 { spins += 1 }
print("end")
