// The C library's own containers: a tree, a hash table, a list of allocated nodes.
import Glibc
final class Word { var count = 1 }
nonisolated(unsafe) var root: UnsafeMutableRawPointer?
struct Node { var next: UnsafeMutableRawPointer?; var word: UnsafeMutableRawPointer? }
nonisolated(unsafe) var list: UnsafeMutableRawPointer?
@inline(never) func add(_ number: Int) {
  tsearch(Unmanaged.passRetained(Word()).toOpaque(), &root) { $0! < $1! ? -1 : $0! > $1! ? 1 : 0 }
  var entry = ENTRY(key: strdup("\(number)"), data: Unmanaged.passRetained(Word()).toOpaque())
  hsearch(entry, ENTER)
  entry.data = nil
  let node = malloc(MemoryLayout<Node>.size)!
  node.storeBytes(of: Node(next: list, word: Unmanaged.passRetained(Word()).toOpaque()), as: Node.self)
  list = node
}
hcreate(100)
for number in 0..<30 { add(number) }
print(root != nil)
