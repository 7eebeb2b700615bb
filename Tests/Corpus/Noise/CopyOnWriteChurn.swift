// Arrays and dictionaries of objects that are constantly copied and changed.
final class Item { let value: Int; init(_ value: Int) { self.value = value } }
var versions: [[Item]] = []
var current = (0..<20).map(Item.init)
for round in 0..<200 {
  versions.append(current)
  current[round % 20] = Item(round)
  if round % 3 == 0 { current.swapAt(0, 19) }
  if versions.count > 5 { versions.removeFirst() }
}
var table: [Int: Item] = [:]
for item in current { table[item.value] = item }
let copy = table
for key in copy.keys.sorted() where key % 2 == 0 { table[key] = nil }
print(copy.count - table.count >= 0, versions.count)
