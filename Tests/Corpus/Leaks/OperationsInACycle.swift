// leak: 2 Step
// path: Step.next
// Operations that ran on a pool's threads and refer to each other: what the threads left on their stacks holds nothing.
import Foundation
final class Step: Operation, @unchecked Sendable {
  var next: Step?
  var sum = 0
  override func main() { sum = (next?.sum ?? 0) + 1 }
}
@inline(never) func run() -> Int {
  let queue = OperationQueue()
  let first = Step() // ALLOC
  let second = Step() // ALLOC
  first.next = second // KEPT
  #if !CLEAN
  second.next = first // KEPT
  #endif
  second.addDependency(first)
  queue.addOperations([first, second], waitUntilFinished: true) // KEPT
  second.removeDependency(first)
  return first.sum + second.sum
}
let sum = run() // KEPT-CALL
Thread.sleep(forTimeInterval: 0.05)
print(sum > 0)
