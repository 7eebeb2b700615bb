/// Pointers of a file whose values the dynamic linker fills in, and their targets as addresses of the file.
///
/// ELF, "Relocation": entries of .rela.dyn have 8 bytes each for the pointer's address, the kind of relocation, and the
/// value.
final class PointerTable {
  private let data: SectionData
  /// Read on first use, because most files' properties need none.
  private lazy var targets = read()
  /// R_X86_64_RELATIVE, R_AARCH64_RELATIVE
  private static let relative: Set<UInt64> = [8, 1027]
  /// The number of the symbol, by the pointer's address: R_X86_64_64, R_X86_64_GLOB_DAT, R_AARCH64_ABS64,
  /// R_AARCH64_GLOB_DAT
  private lazy var imports = readImports()
  private static let symbolic: Set<UInt64> = [1, 6, 257, 1025]

  init(_ data: SectionData) { self.data = data }

  /// Nil if the pointer refers to another file, or is not one.
  func target(at address: UInt64) -> UInt64? { targets[address] }

  /// The pointers that lead into a range, with their targets, in no order.
  func pointers(into range: Range<UInt64>) -> [(address: UInt64, target: UInt64)] {
    targets.filter { range.contains($0.value) }.map { ($0.key, $0.value) }
  }

  /// The pointers to some addresses, with these, in no order.
  func pointers(to wanted: Set<UInt64>) -> [(address: UInt64, target: UInt64)] {
    targets.filter { wanted.contains($0.value) }.map { ($0.key, $0.value) }
  }

  /// The symbol from which a pointer into another file is filled in, or nil.
  func symbol(at address: UInt64) -> String? {
    guard let number = imports[address], let symbols = data.addresses(of: ".dynsym"),
      let strings = data.addresses(of: ".dynstr")
    else { return nil }
    // An entry of .dynsym has 24 bytes; the first four are the offset of the name in .dynstr.
    let entry = symbols.lowerBound &+ number &* 24
    guard symbols.contains(entry), let place = data.word(at: entry) else { return nil }
    return data.string(at: strings.lowerBound &+ UInt64(place))
  }

  private func read() -> [UInt64: UInt64] {
    var targets: [UInt64: UInt64] = [:]
    forEachRelocation { address, info, value in if Self.relative.contains(info) { targets[address] = value } }
    return targets
  }

  private func readImports() -> [UInt64: UInt64] {
    var numbers: [UInt64: UInt64] = [:]
    forEachRelocation { address, info, _ in
      if Self.symbolic.contains(info & 0xFFFF_FFFF) { numbers[address] = info >> 32 }
    }
    return numbers
  }

  private func forEachRelocation(_ body: (_ address: UInt64, _ info: UInt64, _ value: UInt64) -> Void) {
    guard let section = data.addresses(of: ".rela.dyn") else { return }
    let bytes = data.bytes(at: section.lowerBound)
    for offset in stride(from: 0, to: bytes.count - 23, by: 24) {
      func word(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset + index * 8, as: UInt64.self) }
      body(word(0), word(1), word(2))
    }
  }
}
