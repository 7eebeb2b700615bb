// object: Session#1
// verdict: on time
// rule: 
// finding: none
// What a completion block captured that the program itself takes back belonged to the program's own closure.
import Foundation
class Session: @unchecked Sendable { var ends = 0; @inline(never) func end() { ends += 1 } }
final class Observer {
  unowned(unsafe) var session: Session?
  @inline(never) func look() { session?.end() }
}
final class Runner {
  private(set) var session: Session?
  private let operation = BlockOperation()
  @inline(never) func prepare(_ new: Session) {
    session = new
    operation.completionBlock = { new.end() }
  }
  @inline(never) func handOver() { session = nil }
  @inline(never) func giveUp() { operation.completionBlock = nil }
}
@inline(never) func makeSession() -> Session { Session() }
func run() {
  let runner = Runner(), observer = Observer()
  runner.prepare(makeSession())
  observer.session = runner.session
  runner.handOver()
  observer.look()
  runner.giveUp()
}
run()
print("end")
