import LifelineReporting

/// Numbers and names that fit into columns.
enum LiveText {
  /// "99999", "1234k", "56.7M": at most seven columns below 10¹².
  static func number(_ value: Int) -> String {
    switch value.magnitude {
    case ..<100_000: "\(value)"
    case ..<10_000_000: "\(value / 1000)k"
    case ..<10_000_000_000: tenths(value / 100_000, "M")
    default: tenths(value / 100_000_000, "G")
    }
  }

  /// With its sign; "" for none.
  static func growth(_ value: Int) -> String { value == 0 ? "" : (value > 0 ? "+" : "") + number(value) }

  static func rate(_ value: Double) -> String {
    guard value > 0 else { return "" }
    return value < 10 ? tenths(Int(value * 10), "") : number(Int(min(value, 1e15)))
  }

  static func bytes(_ value: Int) -> String {
    switch value.magnitude {
    case ..<10_000: "\(value) B"
    case ..<10_000_000: "\(value / 1000) kB"
    case ..<10_000_000_000: "\(value / 1_000_000) MB"
    default: "\(value / 1_000_000_000) GB"
    }
  }

  /// "850 ms", "12 s", "3 min 4 s", "2 h 5 min".
  static func duration(_ nanoseconds: UInt64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    switch seconds {
    case 0: return "\(nanoseconds / 1_000_000) ms"
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
    default: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
    }
  }

  private static func tenths(_ value: Int, _ unit: String) -> String { "\(value / 10).\(value.magnitude % 10)\(unit)" }

  /// The number of terminal columns of a scalar: 0, 1 or 2.
  static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// The text without control characters in exactly `columns` columns: truncated with "…" or padded with spaces.
  static func fit(_ text: String, _ columns: Int) -> String {
    guard columns > 0 else { return "" }
    // A name may be a megabyte long, and scalars of width zero do not make it wider.
    let scalars = String(String.UnicodeScalarView(text.unicodeScalars.prefix(4 * columns + 4))).safe.unicodeScalars
    var result = String.UnicodeScalarView()
    var used = 0
    var short: (count: Int, used: Int) = (0, 0)
    for scalar in scalars {
      let width = width(scalar)
      if used + width > columns {
        result.removeLast(result.count - short.count)
        result.append("…")
        return String(result) + String(repeating: " ", count: columns - short.used - 1)
      }
      result.append(scalar)
      used += width
      if used <= columns - 1 { short = (result.count, used) }
    }
    return String(result) + String(repeating: " ", count: columns - used)
  }

  /// "make(_:)  main.swift:12" in at most `columns` columns: the function is truncated before the line number is.
  static func place(_ text: String, _ columns: Int) -> String {
    let scalars = Array(text.unicodeScalars)
    guard let gap = scalars.indices.dropLast().last(where: { scalars[$0] == " " && scalars[$0 + 1] == " " }) else {
      return fit(text, columns)
    }
    func columnsOf(_ part: ArraySlice<Unicode.Scalar>) -> Int { part.reduce(0) { $0 + width($1) } }
    let place = scalars[(gap + 2)...]
    let room = columns - columnsOf(place) - 2
    if columnsOf(scalars[..<gap]) <= room { return fit(text, columns) }
    let location = String(String.UnicodeScalarView(place))
    guard room >= 4 else { return fit(location, columns) }
    return fit(fit(String(String.UnicodeScalarView(scalars[..<gap])), room) + "  " + location, columns)
  }

  /// Right-aligned in `columns` columns.
  static func right(_ text: String, _ columns: Int) -> String {
    text.count >= columns ? text : String(repeating: " ", count: columns - text.count) + text
  }
}
