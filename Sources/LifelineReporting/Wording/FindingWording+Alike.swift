import LifelineLifetimes

extension FindingWording {
  /// Which other objects had the same problem; of many the first three.
  static func alike(_ objects: [ObjectID]) -> String? {
    let names = objects.map(\.description)
    guard let last = names.last else { return nil }
    if names.count > 4 {
      return "The same happened to \(names.prefix(3).joined(separator: ", ")) and "
        + "\(Quantity.number(names.count - 3)) more."
    }
    let others = names.dropLast()
    return "The same happened to " + (others.isEmpty ? "" : others.joined(separator: ", ") + " and ") + "\(last)."
  }
}
