// Threads allocate and free objects of new classes while the main thread forks children that do the same: Forks COUNT.
import Foundation

class Base { var value = 0 }
final class Node: Base {}
final class Guarded { var value = 0 }
final class Generic<T> { let value = 1 }
struct Tag<T> {}
// The runtime has a lock for each generic type, which a child inherits in its current state: if a thread of the parent
// was instantiating the type, the lock is never released in the child. To be correct by itself, the program uses other
// generic types in children.
final class ChildGeneric<T> { let value = 1 }
struct ChildTag<T> {}

let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
nonisolated(unsafe) var stopped = false

/// A new class at each depth, whose metadata is created at run time.
@inline(never) func meet<T>(_ type: T.Type, _ depth: Int) -> Int {
  let object = Generic<T>()
  return depth == 0 ? object.value : meet(Tag<T>.self, depth - 1) + object.value
}

@inline(never) func meetInChild<T>(_ type: T.Type, _ depth: Int) -> Int {
  let object = ChildGeneric<T>()
  return depth == 0 ? object.value : meetInChild(ChildTag<T>.self, depth - 1) + object.value
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

_ = work(1)  // types that both sides use are instantiated before there is another thread
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
    let sum = work(200), met = meetInChild(String.self, index % 20)
    _exit(sum == 199 * 200 && met == index % 20 + 1 ? 7 : 8)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  good += status == 7 << 8 ? 1 : 0
}
print(count, "children,", good, "as expected")
fflush(stdout)
_exit(0)
