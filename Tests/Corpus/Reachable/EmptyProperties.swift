// A property without bytes is at the same place as the next one, also a subclass's, and the next one holds an object.
enum Only { case one }
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
final class Marked {
  let mark = Only.one
  let item: Item
  init(_ item: Item) { self.item = item }
}
final class Cell<Value> {
  var value: Value
  let item: Item
  init(_ value: Value, _ item: Item) { (self.value, self.item) = (value, item) }
}
class Base {
  var count = 1
  let mark = Only.one
}
final class Derived: Base {
  let item: Item
  init(_ item: Item) { self.item = item }
}
@inline(never) func make() -> [AnyObject] {
  [Marked(Item(1)), Cell((), Item(2)), Derived(Item(3)), Cell(Only.one, Item(4)), Cell(true, Item(5))]
}
let objects = make()
print(objects.count)
