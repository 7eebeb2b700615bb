extension MemoryReader {
  /// The end in memory of the image whose first page is at `base`, rounded up to a page, by its program headers
  /// (elf(5)); nil if they are missing.
  mutating func imageEnd(at base: UInt64) -> UInt64? {
    let magic: UInt32 = 0x464C_457F, load: UInt32 = 1, most: UInt16 = 128
    guard half(at: base) == magic, let offset = word(at: base &+ 0x20), offset < 1 << 32,
      let size = quarter(at: base &+ 0x36), let count = quarter(at: base &+ 0x38), size >= 56, count <= most
    else { return nil }
    var first: UInt64?, end: UInt64 = 0
    for index in 0..<UInt64(count) {
      let header = base &+ offset &+ index * UInt64(size)
      guard let kind = half(at: header), let place = word(at: header &+ 8), let address = word(at: header &+ 16),
        let length = word(at: header &+ 40)
      else { return nil }
      guard kind == load else { continue }
      first = first ?? address &- place
      end = max(end, address &+ length)
    }
    guard let first, end > first else { return nil }
    return (base &+ (end &- first) &+ 4095) & ~4095
  }
}
