/// SHA-256 as defined in FIPS 180-4, for the hashes in a Content-Security-Policy.
///
/// For two texts of about ten kilobytes per report; nothing secret depends on it, so speed and timing do not matter.
struct SHA256 {
  /// The 32 bytes of the digest.
  let digest: [UInt8]

  init(_ message: some Collection<UInt8>) {
    var padded = Array(message)
    let bits = UInt64(padded.count) * 8
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }

    var state = Self.initial
    for start in stride(from: 0, to: padded.count, by: 64) { Self.compress(&state, padded[start..<start + 64]) }
    digest = state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
    var schedule = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let early = schedule[index - 15]
      let late = schedule[index - 2]
      let s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
      let s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
      schedule.append(schedule[index - 16] &+ s0 &+ schedule[index - 7] &+ s1)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ schedule[index]
      let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  private static let initial = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }
  /// The same of the cube roots of the first 64 primes.
  private static let constants = primes.map(cubeRootFraction)

  private static let primes: [UInt32] = (2..<312).filter { candidate in
    !(2..<candidate).contains { $0 * $0 <= candidate && candidate % $0 == 0 }
  }

  /// A double has 52 bits after the point of a root below 18: 47 of them are the fraction's, 32 are needed.
  private static func fraction(of root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

  /// By bisection on integers, because there is no correctly rounded cube root.
  private static func cubeRootFraction(_ prime: UInt32) -> UInt32 {
    // The largest r with (r / 2^32)³ <= prime; r < 2^35, so r³ needs up to 105 bits.
    let target = UInt128(prime) << 96
    var root: UInt128 = 0
    for bit in (0..<36).reversed() {
      let trial = root | UInt128(1) << UInt128(bit)
      if trial * trial * trial <= target { root = trial }
    }
    return UInt32(truncatingIfNeeded: root)
  }
}
