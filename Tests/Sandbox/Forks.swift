// Threads make, meet and free objects while the main thread forks children that do the same and end: Forks COUNT.
import Foundation

class Base { var value = 0 }
final class Node: Base {}
final class Guarded { var value = 0 }
final class Generic<T> { var value: T; init(_ value: T) { self.value = value } }
struct Tag<T> {}

let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
nonisolated(unsafe) var stopped = false

/// A class that nobody has met yet at each depth: metadata that is made at run time.
@inline(never) func meet<T>(_ type: T.Type, _ depth: Int) -> Int {
  let object = Generic<T?>(nil)
  return withExtendedLifetime(object) { depth == 0 ? 1 : meet(Tag<T>.self, depth - 1) + 1 }
}

@inline(never) func work(_ rounds: Int) -> Int {
  var sum = 0
  for round in 0..<rounds {
    let node = Node(), guarded = Guarded()
    node.value = round
    guarded.value = round
    sum &+= withExtendedLifetime((node, guarded)) { node.value &+ guarded.value }
  }
  return sum
}

for index in 0..<4 {
  Thread {
    var depth = index
    while !stopped {
      _ = work(50)
      depth = depth % 20 + 1
      _ = meet(Int.self, depth)
    }
  }.start()
}
let count = Int(CommandLine.arguments[1])!
var good = 0
for index in 0..<count {
  let child = fork()
  if child == 0 {
    let sum = work(200), met = meet(String.self, index % 20)
    _exit(sum == 199 * 200 && met == index % 20 + 1 ? 7 : 8)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  good += status == 7 << 8 ? 1 : 0
}
print(count, "children,", good, "as expected")
fflush(stdout)
_exit(0)
