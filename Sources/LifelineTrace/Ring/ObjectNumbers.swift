/// Numbers objects by the order of allocation in their class, as allocation events arrive.
///
/// For a ring the first ones are those of the base line, and of those between there are no events.
public struct ObjectNumbers: Sendable {
  private let numbers: [UInt32]
  private let unseen: [Int: UInt64]
  private var position = 0

  public init(_ baseLine: BaseLine?) {
    numbers = baseLine?.numbers ?? []
    unseen = baseLine?.unseen ?? [:]
  }

  /// Record IDs of classes that had objects without events.
  public var classes: [Int] { unseen.keys.sorted() }

  /// The number of objects of a class, by its record ID, that were allocated without an event.
  public func unseen(ofClass id: Int) -> Int { Int(clamping: unseen[id] ?? 0) }

  /// The number of the next object, for each allocation event; nil if it equals the number of allocations so far.
  @inline(__always)
  public mutating func next() -> UInt32? {
    guard position < numbers.count else { return nil }
    defer { position += 1 }
    return numbers[position]
  }
}
