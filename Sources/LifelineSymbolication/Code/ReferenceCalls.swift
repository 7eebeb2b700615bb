import CElfutils

/// The calls in an image that load or retain a reference, or allocate: where they have no line, what they are for may
/// come after them.
///
/// A call names its function itself, or goes to it by way of a stub in the procedure linkage table and a slot of the
/// global offset table (System V ABI, AMD64 supplement, 5.2). x86-64 only; of other code no call is found.
struct ReferenceCalls {
  /// What loads an unowned or weak reference.
  static let loads = [
    "swift_unownedRetainStrong", "swift_unownedRetainStrongAndRelease", "swift_unownedCheck", "swift_weakLoadStrong",
    "swift_weakTakeStrong",
  ]
  /// Unoptimized code retains what the next statement captures or passes on, and copies its blocks. The optimizer moves
  /// retains elsewhere.
  static let retains = ["swift_retain", "_Block_copy"]
  /// What creates an object, a captured variable or an enum's payload, behind code that was inlined.
  static let allocations = ["swift_allocObject"]

  /// The checks for exclusive access to properties.
  static let accesses = ["swift_beginAccess", "swift_endAccess"]

  private let code: ImageCode
  /// Slots that hold the address of one of the functions, and the functions that are in the image itself.
  private var slots: Set<UInt64> = []
  private let own: Set<UInt64>

  /// `own` are the addresses of the functions that the image has itself.
  init(to functions: [String], _ file: ELFFile, own: Set<UInt64>) {
    self.own = own
    code = ImageCode(file)
    for section in file.sections where section.type == UInt32(SHT_RELA) { readRelocations(section, file, functions) }
  }

  private mutating func readRelocations(_ section: ELFFile.Section, _ file: ELFFile, _ functions: [String]) {
    guard let table = file.section(numbered: section.link), let link = file.section(numbered: table.link),
      let relocations = file.bytes(of: section), let symbols = file.bytes(of: table),
      let strings = file.bytes(of: link)
    else { return }
    let (size, symbolSize) = (MemoryLayout<Elf64_Rela>.size, UInt64(MemoryLayout<Elf64_Sym>.size))
    var reader = relocations.reader(0..<relocations.count)
    while reader.end - reader.position >= size {
      let slot = reader.fixed(UInt64.self), information = reader.fixed(UInt64.self)
      reader.skip(8)
      let type = Int32(truncatingIfNeeded: information & 0xFFFF_FFFF), place = (information >> 32) * symbolSize
      guard type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT, place + symbolSize <= UInt64(symbols.count) else {
        continue
      }
      var symbol = symbols.reader(Int(place)..<Int(place + symbolSize))
      guard let name = strings.string(at: UInt64(symbol.fixed(UInt32.self))) else { continue }
      if functions.contains(where: { $0.utf8.elementsEqual(name) }) { slots.insert(slot) }
    }
  }

  /// Whether the instruction whose last byte is at an address is such a call.
  func hasCall(endingAt address: UInt64) -> Bool {
    guard address > 5, address < .max, let call = code.bytes(address - 5, 6) else { return false }
    let target = Self.target(call[2...], after: address + 1)
    // call *slot(%rip), and call stub or function
    if call[0] == 0xFF, call[1] == 0x15 { return slots.contains(target) }
    guard call[1] == 0xE8 else { return false }
    if own.contains(target) { return true }
    // The stub: endbr64 or not, bnd or not, jmp *slot(%rip).
    for skipped in [0, 4, 5, 1] as [UInt64] {
      guard let jump = code.bytes(target &+ skipped, 6) else { continue }
      if jump[0] == 0xFF, jump[1] == 0x25 {
        return slots.contains(Self.target(jump[2...], after: target &+ skipped &+ 6))
      }
    }
    return false
  }

  private static func target(_ displacement: ArraySlice<UInt8>, after end: UInt64) -> UInt64 {
    let distance = displacement.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    return end &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance)))
  }
}
