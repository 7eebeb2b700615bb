/// The hash FNV-1a with 64 bits: short, equal in every run and process, and not secret.
///
/// From Fowler, Noll and Vo (http://www.isthe.com/chongo/tech/comp/fnv), over bytes; over words it is only a cheap
/// mixture, for identities within one run.
public struct FNV1a: Sendable {
  public private(set) var value: UInt64

  /// Begins, or continues from a value.
  @inline(__always)
  public init(from value: UInt64 = 0xCBF2_9CE4_8422_2325) { self.value = value }

  public init(_ text: some StringProtocol, from value: UInt64 = FNV1a().value) {
    self.init(from: value)
    add(text)
  }

  @inline(__always)
  public mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

  public mutating func add(_ text: some StringProtocol) {
    for byte in text.utf8 { add(UInt64(byte)) }
  }

  /// 16 hexadecimal digits.
  public var digits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
