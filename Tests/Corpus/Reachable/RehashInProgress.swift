// `exit` while a dictionary moves its elements to larger storage, which calls the key's hash function.
import Glibc
final class Name { var text = "n" }
final class Value { var number = 1 }
nonisolated(unsafe) var left = Int.max
struct Key: Hashable {
  let name: Name
  static func == (one: Key, other: Key) -> Bool { one.name === other.name }
  func hash(into hasher: inout Hasher) {
    left -= 1
    if left == 0 {
      print("end")
      exit(0)
    }
    hasher.combine(ObjectIdentifier(name))
  }
}
nonisolated(unsafe) var table: [Key: Value] = [:]
for _ in 0..<48 { table[Key(name: Name())] = Value() }
left = 20
table.reserveCapacity(500)
