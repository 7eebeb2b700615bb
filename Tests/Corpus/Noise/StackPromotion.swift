// At -O these objects never leave the stack, yet swift_deallocClassInstance is called for them.
final class Point { var x: Int; var y: Int; init(_ x: Int, _ y: Int) { self.x = x; self.y = y } }
@inline(never) func length(_ count: Int) -> Int {
  var sum = 0
  for index in 0..<count {
    let point = Point(index, index + 1)
    sum &+= point.x &* point.y
  }
  return sum
}
let kept = Point(CommandLine.arguments.count, 2)
print(length(2000) > 0, kept.x)
