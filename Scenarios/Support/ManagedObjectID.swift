/// Names a record, whatever objects represent it; a value, so that threads can pass it around.
struct ManagedObjectID: Hashable, Comparable, CustomStringConvertible, Sendable {
  let number: Int
  var description: String { "#\(number)" }
  static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
