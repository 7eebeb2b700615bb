// Blocks and operations that wait in queues and never run.
import Foundation
final class Parcel: @unchecked Sendable { var weight = 1 }
let blocked = DispatchQueue(label: "blocked")
let suspended = OperationQueue()
let group = DispatchGroup()
@inline(never) func send() {
  let first = Parcel(), second = Parcel(), third = Parcel(), fourth = Parcel()
  blocked.async { first.weight += 1 }
  suspended.addOperation { second.weight += 1 }
  let last = BlockOperation { third.weight += 1 }
  last.completionBlock = { third.weight += 1 }
  suspended.addOperation(last)
  group.notify(queue: .global()) { fourth.weight += 1 }
}
blocked.suspend()
suspended.isSuspended = true
group.enter()
send()
print(suspended.operationCount)
exit(0)
