// References before the tag of an enum, before the last bytes of a struct, and in closures that captured such values.
final class Node {
  let number: Int
  init(_ number: Int) { self.number = number }
}
enum Wide { case number(Int), node(Node, Int), pair(Node, Node, UInt8), none }
enum Short { case byte(UInt8), flag(Bool), none }
enum Single { case node(Node), none }
enum Failure: Error { case of(any Error), by(Node, Bool) }
struct Marked {
  var node: Node
  var other: Wide
  var isSet: Bool
}
struct Counted {
  var node: Node
  var half: Int32
  var wide: Wide?
}
final class Holder {
  var first = Wide.pair(Node(1), Node(2), 3)
  var marked = Marked(node: Node(3), other: .node(Node(4), 5), isSet: true)
  var short = Short.byte(1)
  var counted: Counted? = Counted(node: Node(5), half: 6, wide: .pair(Node(6), Node(7), 8))
  var single: Single? = .node(Node(8))
  var failure = Failure.of(Failure.by(Node(9), true))
  var last: Wide? = .node(Node(10), 11)
  var end: Node? = Node(11)
}
var holder = Holder()
var wide: [Wide] = []
var table: [String: Marked] = [:]
var optional: [Counted?] = []
var tuples: [(Node, Bool)] = []
var closures: [() -> Int] = []
@inline(never) func capture(_ wide: Wide, _ short: Short, _ marked: Marked?, _ single: Single?, _ node: Node) {
  closures.append {
    if case .pair(let first, _, _) = wide, case .byte(let byte) = short {
      return first.number + Int(byte) + (marked?.node.number ?? 0) + node.number
    }
    if case .node(let one)? = single { return one.number }
    return node.number
  }
}
@inline(never) func fill() -> Int {
  for number in 20..<40 {
    wide += [.pair(Node(number), Node(number), 1), .node(Node(number), 2), .number(3), .none]
    table["\(number)"] = Marked(node: Node(number), other: .pair(Node(number), Node(number), 4), isSet: false)
    optional += [Counted(node: Node(number), half: 1, wide: .node(Node(number), 1)), nil]
    tuples.append((Node(number), true))
    capture(
      .pair(Node(number), Node(number), 1), .byte(2), Marked(node: Node(number), other: .none, isSet: true),
      .node(Node(number)), Node(number))
    capture(.none, .none, nil, .node(Node(number)), Node(number))
  }
  return wide.count + table.count + optional.count + tuples.count
}
print(fill(), closures.reduce(0) { $0 + $1() })
