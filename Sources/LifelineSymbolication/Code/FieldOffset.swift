/// Where in an object, or in memory, code has a reference, as its instructions say it.
public enum FieldOffset: Hashable, Sendable {
  /// Bytes from the address.
  case constant(Int)
  /// As many bytes as a word of the class's metadata says, which has this offset in it, and more: generic code loads
  /// the offsets of properties that follow a value of a type parameter.
  case inMetadata(Int, plus: Int)

  /// Whether it is none of the offsets, and can be compared with one of them, which has the same form.
  public func isOther(than offsets: [FieldOffset]) -> Bool {
    !offsets.contains(self) && offsets.contains { $0.isConstant == isConstant }
  }

  private var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}
