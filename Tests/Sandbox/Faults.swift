// Uses everything that the recorder handles: threads, weak and unowned references, classes that first appear late,
// errors, a forked child, deep stacks, some thousand objects. Its output is always the same.
import Foundation

class Node {
  weak var next: Node?
  unowned(unsafe) var unsafe: Node?
  var value = 0
}
final class Guarded: Node {}
final class Generic<T> { let value = 1 }
struct Tag<T> {}
struct Failure: Error { let node: Node }

let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)

@inline(never) func meet<T>(_ type: T.Type, _ depth: Int) -> Int {
  let object = Generic<T>()
  return depth == 0 ? object.value : meet(Tag<T>.self, depth - 1) + object.value
}
@inline(never) func work(_ rounds: Int) -> Int {
  var sum = 0
  var kept: [Node] = []
  for round in 0..<rounds {
    let node = round % 8 == 0 ? Guarded() : Node()
    node.next = kept.last
    node.unsafe = kept.last
    node.value = round
    if round % 3 == 0 { kept.append(node) }
    sum &+= node.next?.value ?? 0
  }
  return sum
}
@inline(never) func deep(_ depth: Int) -> Int { depth == 0 ? work(10) : deep(depth - 1) + 1 }

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1])! : 2000
print(work(count), meet(Int.self, 12), deep(200))
let sums = Mutexed()
let group = DispatchGroup()
for index in 0..<3 { DispatchQueue.global().async(group: group) { sums.add(work(count) + index) } }
group.wait()
print(sums.total)
do { throw Failure(node: Node()) } catch { print(type(of: error)) }
fflush(stdout)
let expected = work(100)
let child = fork()
if child == 0 { _exit(work(100) == expected ? 7 : 8) }
var status: Int32 = 0
waitpid(child, &status, 0)
print(status >> 8)

final class Mutexed: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var total = 0
  func add(_ number: Int) { lock.withLock { total += number } }
}
