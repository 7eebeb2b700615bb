import Glibc

/// Reads hexadecimal numbers, one a line, from standard input.
struct AddressReader {
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var position = 0
  private var count = 0

  mutating func next() -> UInt64? {
    var address: UInt64 = 0
    while true {
      if position == count {
        count = max(0, read(0, &buffer, buffer.count))
        position = 0
        if count == 0 { return nil }
      }
      let byte = buffer[position]
      position += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): address = address << 4 | UInt64(byte & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): address = address << 4 | UInt64(byte &- UInt8(ascii: "a") &+ 10)
      case UInt8(ascii: "\n"): return address
      default: address = 0
      }
    }
  }
}
