/// The location of roots: an image, a thread or a mapping.
public struct HeapPlace: Hashable, Sendable {
  /// The image's path, the thread's name, or the mapping's name; "" if it has none.
  public let name: String
  /// An image's load bias, a thread's kernel ID, a mapping's first address.
  public let base: UInt64

  public init(name: String = "", base: UInt64 = 0) {
    self.name = name
    self.base = base
  }
}
