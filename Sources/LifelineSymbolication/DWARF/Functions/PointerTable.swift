/// The pointers of a file whose values the dynamic linker fills in: where they lead to, as addresses of the file.
///
/// ELF, "Relocation": entries of .rela.dyn have 8 bytes each for the pointer's address, the sort of relocation, and the value.
final class PointerTable {
  private let data: SectionData
  /// Read when the first is asked for: most files' properties need none.
  private lazy var targets = read()
  /// R_X86_64_RELATIVE, R_AARCH64_RELATIVE
  private static let relative: Set<UInt64> = [8, 1027]

  init(_ data: SectionData) { self.data = data }

  /// Nil when the pointer leads to another file, or is none.
  func target(at address: UInt64) -> UInt64? { targets[address] }

  private func read() -> [UInt64: UInt64] {
    guard let section = data.addresses(of: ".rela.dyn") else { return [:] }
    let bytes = data.bytes(at: section.lowerBound)
    var targets: [UInt64: UInt64] = [:]
    for offset in stride(from: 0, to: bytes.count - 23, by: 24) {
      func word(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset + index * 8, as: UInt64.self) }
      if Self.relative.contains(word(1)) { targets[word(0)] = word(2) }
    }
    return targets
  }
}
