// A list whose deinit calls itself for every node.
final class Node { var next: Node?; let value: Int; init(_ value: Int, _ next: Node?) { self.value = value; self.next = next } }
@inline(never) func build(_ count: Int) -> Int {
  var head: Node?
  for index in 0..<count { head = Node(index, head) }
  return head!.value
}
print(build(3000))
