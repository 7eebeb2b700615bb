extension String {
  /// The text for people and programs: without control characters, and at most 4,000 Unicode scalars.
  ///
  /// A name may be a megabyte long; omissions are noted.
  var shown: String { shown(atMost: 4000) }

  func shown(atMost limit: Int) -> String {
    // Bytes are counted first, because that is O(1), and there are never more scalars. A character may itself be a
    // megabyte long.
    guard utf8.count > limit else { return safe }
    let kept = String(unicodeScalars.prefix(limit))
    let rest = utf8.count - kept.utf8.count
    return rest == 0 ? safe : "\(kept.safe)… (\(Quantity.count(rest, "byte")) more)"
  }

  /// As the path of a URI (RFC 3986): unreserved characters and "/" stay, every other byte is %XX.
  var percentEncodedPath: String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
