/// The machine code of an image.
struct ImageCode {
  private struct Part {
    let addresses: Range<UInt64>
    let bytes: SectionBytes
  }

  private let parts: [Part]
  /// Its bytes are read when they are wanted.
  private let file: ELFFile

  init(_ file: ELFFile) {
    self.file = file
    parts = file.sections.compactMap { section in
      guard section.isExecutable, section.size <= .max - section.address, let bytes = file.bytes(of: section) else {
        return nil
      }
      return Part(addresses: section.address..<section.address + section.size, bytes: bytes)
    }
  }

  /// Some bytes from a file address on; nil if not all of them are code.
  func bytes(_ address: UInt64, _ count: UInt64) -> [UInt8]? {
    guard let part = parts.first(where: { $0.addresses.contains(address) }),
      part.addresses.upperBound - address >= count
    else { return nil }
    let start = Int(address - part.addresses.lowerBound)
    var reader = part.bytes.reader(start..<start + Int(count))
    guard reader.end - reader.position == Int(count) else { return nil }
    return (0..<count).map { _ in reader.byte() }
  }

  /// At most so many bytes of code before and behind a file address; empty where there is no code.
  func bytes(_ before: Int, before address: UInt64, _ after: Int) -> (before: [UInt8], after: [UInt8]) {
    guard let part = parts.first(where: { $0.addresses.contains(address) }) else { return ([], []) }
    let start = address - min(UInt64(before), address - part.addresses.lowerBound)
    let end = address + min(UInt64(after), part.addresses.upperBound - address)
    return (bytes(start, address - start) ?? [], bytes(address, end - address) ?? [])
  }

  /// Whether a function does nothing but return what it was given; false for code that is not x86-64.
  func isEmpty(_ code: Range<UInt64>) -> Bool {
    guard code.count <= 64, var rest = bytes(code.lowerBound, UInt64(code.count))?[...] else { return false }
    while let instruction = Self.idle.first(where: { rest.starts(with: $0.bytes) }) {
      rest = rest.dropFirst(instruction.bytes.count + instruction.operand)
    }
    return rest == [0xC3]
  }

  /// Instructions that only keep the stack frame or copy the object's address, and the size of their operands.
  private static let idle: [(bytes: [UInt8], operand: Int)] = [
    ([0x55], 0), ([0x5D], 0),  // push, pop rbp
    ([0x48, 0x89, 0xE5], 0),  // mov rbp, rsp
    ([0x48, 0x83, 0xEC], 1), ([0x48, 0x83, 0xC4], 1),  // sub, add rsp, …
    ([0x4C, 0x89, 0xE8], 0),  // mov rax, r13
    ([0x48, 0xC7, 0x45], 5),  // mov qword [rbp+…], 0
    ([0x48, 0x89, 0x45], 1), ([0x4C, 0x89, 0x6D], 1),  // mov [rbp+…], rax or r13
    ([0x48, 0x8B, 0x45], 1),  // mov rax, [rbp+…]
    ([0xF3, 0x0F, 0x1E, 0xFA], 0),  // endbr64
  ]
}
