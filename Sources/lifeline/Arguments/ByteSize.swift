/// "64MiB", "512KiB" or a number of bytes.
enum ByteSize {
  static func bytes(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
    guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    return isTooLarge ? nil : bytes
  }
}
