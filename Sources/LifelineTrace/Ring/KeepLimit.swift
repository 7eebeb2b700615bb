/// How much a ring keeps: a number of bytes, or of nanoseconds.
public enum KeepLimit: Sendable, Equatable {
  case size(UInt64)
  case time(UInt64)

  static let smallest: UInt64 = 2 << 20
  static let largest: UInt64 = 1 << 38

  init(size: UInt64, time: UInt64) { self = size > 0 ? .size(size) : .time(time) }

  /// Reads "256MiB", "64KiB" … or "60s", "5m", "1h"; a number alone is bytes. Nil for anything else, and beyond 2 MiB
  /// to 256 GiB.
  public init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = UInt64(digits) else { return nil }
    let units: [String: (size: UInt64, time: UInt64)] = [
      "": (1, 0), "KiB": (1 << 10, 0), "MiB": (1 << 20, 0), "GiB": (1 << 30, 0),
      "s": (0, 1_000_000_000), "m": (0, 60_000_000_000), "h": (0, 3_600_000_000_000),
    ]
    guard let unit = units[String(text.dropFirst(digits.count))] else { return nil }
    let (size, isTooLarge) = number.multipliedReportingOverflow(by: unit.size)
    let (time, isTooLong) = number.multipliedReportingOverflow(by: unit.time)
    guard !isTooLarge, !isTooLong else { return nil }
    if unit.size > 0 {
      guard (Self.smallest...Self.largest).contains(size) else { return nil }
      self = .size(size)
    } else {
      guard time > 0 else { return nil }
      self = .time(time)
    }
  }

  /// As written in LIFELINE_OPTIONS.
  public var option: String {
    switch self {
    case .size(let bytes): String(bytes)
    case .time(let time): "\(time / 1_000_000_000)s"
    }
  }

  /// "60 s", "256 MiB".
  public var text: String {
    switch self {
    case .size(let bytes): bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    case .time(let time): "\(time / 1_000_000_000) s"
    }
  }
}
