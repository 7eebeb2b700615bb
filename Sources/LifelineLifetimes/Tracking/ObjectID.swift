/// An object's identity: its class and its number in order of allocation, "DetailViewController#1".
///
/// An address is not an identity, because it is reused. Objects that were allocated before the recording began have no
/// number and are named by their address, with the class if known: "Node@0x7f3a5c001200".
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
  /// Full class name, or "" if unknown because the allocation was not seen.
  public let className: String
  /// From 1, in order of allocation among objects of that class; 0 if the allocation was not seen.
  public let number: Int
  public let address: UInt64

  public init(className: String, number: Int, address: UInt64 = 0) {
    self.className = className
    self.number = number
    self.address = address
  }

  /// Class name without its module.
  public var shortClassName: String { Self.short(className) }

  public var description: String {
    if number > 0 { return "\(shortClassName)#\(number)" }
    return (className.isEmpty ? "" : "\(shortClassName)@") + "0x" + String(address, radix: 16)
  }

  static func short(_ name: String) -> String {
    guard let dot = name.firstIndex(of: "."), !name[..<dot].contains("<") else { return name }
    return String(name[name.index(after: dot)...])
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.className == b.className && a.number == b.number && (a.number != 0 || a.address == b.address)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(className)
    hasher.combine(number)
    if number == 0 { hasher.combine(address) }
  }
}
