/// Readable numbers, the same in every locale.
enum Quantity {
  /// "1,234,567".
  static func number(_ value: some BinaryInteger) -> String {
    var digits = String(value.magnitude)
    var result = ""
    while digits.count > 3 {
      result = "," + digits.suffix(3) + result
      digits.removeLast(3)
    }
    return (value < 0 ? "-" : "") + digits + result
  }

  /// "1 event", "9 events".
  static func count(_ value: some BinaryInteger, _ noun: String) -> String {
    "\(number(value)) \(noun)\(value == 1 ? "" : "s")"
  }

  /// Nanoseconds as "41 µs": at most three significant digits.
  static func duration(_ nanoseconds: UInt64) -> String {
    switch nanoseconds {
    case ..<1000: "\(nanoseconds) ns"
    case ..<1_000_000: scaled(nanoseconds, 1000, "µs")
    case ..<1_000_000_000: scaled(nanoseconds, 1_000_000, "ms")
    default: scaled(nanoseconds, 1_000_000_000, "s")
    }
  }

  /// The time between two events; nil if it is 0: then one of the events has no time of its own.
  static func known(_ nanoseconds: UInt64) -> String? { nanoseconds == 0 ? nil : duration(nanoseconds) }

  /// "5.1 MB".
  static func bytes(_ count: some BinaryInteger) -> String {
    let value = UInt64(count)
    switch value {
    case ..<1000: return "\(value) B"
    case ..<1_000_000: return scaled(value, 1000, "kB")
    case ..<1_000_000_000: return scaled(value, 1_000_000, "MB")
    default: return scaled(value, 1_000_000_000, "GB")
    }
  }

  private static func scaled(_ value: UInt64, _ unit: UInt64, _ name: String) -> String {
    let whole = value / unit
    if whole >= 100 { return "\(number(whole)) \(name)" }
    let tenths = (value % unit) * 10 / unit
    return tenths == 0 ? "\(whole) \(name)" : "\(whole).\(tenths) \(name)"
  }
}
