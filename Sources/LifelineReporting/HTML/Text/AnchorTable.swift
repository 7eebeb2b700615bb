/// A name for each finding that a link can contain: the fingerprint, if it is suitable and still unused.
struct AnchorTable {
  let anchors: [String]

  /// Names of the page's own parts.
  static let reserved: Set<String> = ["findings", "gate", "lives", "classes", "live", "recording", "top", "main"]

  init(_ fingerprints: [String]) {
    var taken = Self.reserved
    anchors = fingerprints.map { fingerprint in
      let fit = String(fingerprint.utf8.prefix(80).filter(Self.isFit).map { Character(Unicode.Scalar($0)) })
      let base = fit.isEmpty ? "finding" : fit
      var anchor = base
      var number = 2
      while !taken.insert(anchor).inserted {
        anchor = "\(base).\(number)"
        number += 1
      }
      return anchor
    }
  }

  private static func isFit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x2D, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
