// A queue's specific value, and a queue's context.
import Dispatch
final class Info: @unchecked Sendable { var name = "q" }
let key = DispatchSpecificKey<Info>()
let queue = DispatchQueue(label: "specific")
@inline(never) func label() {
  queue.setSpecific(key: key, value: Info())
  DispatchQueue.main.setSpecific(key: key, value: Info())
}
label()
print(queue.sync { DispatchQueue.getSpecific(key: key)?.name ?? "" })
