// object: Job#1
// guess: Runner#1.current
// The queue keeps the operation that it is given in an array; the property is never set.
import Foundation
final class Job: Operation, @unchecked Sendable {
  let text: String
  init(_ text: String) { self.text = text }
  override func main() { total += text.utf8.count }
}
nonisolated(unsafe) var total = 0
final class Runner {
  var current: Job?
  let queue = OperationQueue()
  @inline(never) func start(_ text: String) {
    let job = Job(text)
    queue.addOperations([job], waitUntilFinished: true)
  }
}
let runner = Runner()
runner.start("first")
print(total, runner.current == nil)
