// object: Token#1
// guess: Service
// never: its getter returned it
// A queue holds it as its specific value; what reads that value has it for a statement.
import Dispatch
final class Token: @unchecked Sendable {
  let number: Int
  var depth = 0
  init(_ number: Int) { self.number = number }
}
let key = DispatchSpecificKey<Token>()
final class Service {
  let queue = DispatchQueue(label: "service")
  var last: Token?
  @inline(never) func begin(_ number: Int) { queue.setSpecific(key: key, value: Token(number)) }
  @inline(never) func enter() -> Int {
    queue.sync {
      let token = DispatchQueue.getSpecific(key: key)!
      token.depth += 1
      return token.depth
    }
  }
  @inline(never) func end() { queue.setSpecific(key: key, value: nil) }
}
let service = Service()
service.begin(1)
print(service.enter(), service.enter(), service.last == nil)
service.end()
print("end")
