/// An x86-64 instruction of the few kinds with which compiled code moves references (Intel SDM, volume 2).
struct Instruction {
  enum Operand: Hashable {
    case register(Int)
    case memory(base: Int, displacement: Int)
    /// The base is an object's address, and the index an offset in it.
    case indexed(base: Int, index: Int, displacement: Int)
    /// Relative to the code.
    case image
  }

  enum Effect: Equatable {
    case move(from: Operand, to: Operand)
    /// Writes a constant, or what is at an address in the image.
    case constant(to: Operand)
    /// Writes 128 bits.
    case wide(to: Operand)
    /// Computes an address.
    case address(base: Int, displacement: Int, to: Int)
    case add(Int, to: Int)
    case addRegister(Int, to: Int)
    case call
    /// Writes less than 64 bits to memory.
    case none
  }

  static let rax = 0
  static let stackPointer = 4
  static let framePointer = 5
  static let rdi = 7
  /// r13: the object whose method is called (swift/docs/ABI/CallConvSummary.rst).
  static let swiftSelf = 13
  /// What a called function leaves as it was (System V ABI, AMD64 supplement, 3.2.1).
  static let preserved: Set = [3, 4, 5, 12, 13, 14, 15]
  static let longest = 12

  let effect: Effect
  let length: Int

  /// Reads the instruction that begins with the first byte; nil if it is of another kind.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = Reader(rest: bytes)
    var prefix: UInt8 = 0
    if let byte = bytes.first, byte & 0xF0 == 0x40 {
      prefix = byte
      reader.rest = reader.rest.dropFirst()
    }
    guard let code = reader.byte(), let effect = reader.effect(code, prefix) else { return nil }
    self.effect = effect
    length = reader.rest.startIndex - bytes.startIndex
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number(_ size: Int) -> Int? {
      guard rest.count >= size else { return nil }
      let number = rest.prefix(size).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      rest = rest.dropFirst(size)
      return size == 1 ? Int(Int8(truncatingIfNeeded: number)) : Int(Int32(truncatingIfNeeded: number))
    }

    mutating func effect(_ code: UInt8, _ prefix: UInt8) -> Effect? {
      let isWide = prefix & 8 != 0
      switch code {
      case 0x89, 0x8B:
        guard let (register, other) = operands(prefix) else { return nil }
        let (from, to) = code == 0x89 ? (register, other) : (other, register)
        if isWide, from != .image, to != .image { return .move(from: from, to: to) }
        if case .register = to { return .constant(to: to) }
        return Effect.none
      case 0x8D:
        guard isWide, let (register, place) = operands(prefix), case .register(let to) = register else { return nil }
        guard case .memory(let base, let displacement) = place else {
          return place == .image ? .constant(to: register) : nil
        }
        return .address(base: base, displacement: displacement, to: to)
      case 0x01, 0x03:
        guard isWide, case (.register(let register), .register(let other))? = operands(prefix) else { return nil }
        return code == 0x01 ? .addRegister(register, to: other) : .addRegister(other, to: register)
      case 0x31, 0x33:
        // A register that is combined with itself is cleared.
        guard let (register, other) = operands(prefix), register == other else { return nil }
        return .constant(to: register)
      case 0x81, 0x83:
        guard isWide, case (let field, .register(let to))? = operands(prefix), field.isExtension(0, prefix),
          let amount = number(code == 0x83 ? 1 : 4)
        else { return nil }
        return .add(amount, to: to)
      case 0xC7:
        guard let (field, to) = operands(prefix), field.isExtension(0, prefix), number(4) != nil else { return nil }
        return isWide ? .constant(to: to) : Effect.none
      case 0xB8...0xBF:
        guard number(isWide ? 8 : 4) != nil else { return nil }
        return .constant(to: .register(Int(code & 7 | (prefix & 1) << 3)))
      case 0x0F:
        // movups and movaps from memory, to memory; xorps.
        guard let code = byte(), let (_, other) = operands(prefix) else { return nil }
        switch code {
        case 0x10, 0x28, 0x57: return Effect.none
        case 0x11, 0x29:
          if case .memory = other { return .wide(to: other) }
          return Effect.none
        default: return nil
        }
      case 0xE8: return number(4).map { _ in .call }
      // Through a slot, without a stub.
      case 0xFF: return byte() == 0x15 ? number(4).map { _ in .call } : nil
      default: return nil
      }
    }

    /// The register and the other operand of the byte that names them.
    private mutating func operands(_ prefix: UInt8) -> (Operand, Operand)? {
      guard let byte = byte() else { return nil }
      let register = Operand.register(Int(byte >> 3 & 7 | (prefix & 4) << 1))
      var base = Int(byte & 7 | (prefix & 1) << 3)
      let mode = byte >> 6
      if mode == 3 { return (register, .register(base)) }
      if byte & 7 == 4 {
        guard let scaled = self.byte() else { return nil }
        base = Int(scaled & 7 | (prefix & 1) << 3)
        let index = Int(scaled >> 3 & 7 | (prefix & 2) << 2)
        if index != Instruction.stackPointer {
          // Those of elements have a scale, and are not read.
          guard scaled >> 6 == 0, mode != 0 || base & 7 != Instruction.framePointer,
            let displacement = mode == 0 ? 0 : number(mode == 1 ? 1 : 4)
          else { return nil }
          return (register, .indexed(base: base, index: index, displacement: displacement))
        }
      }
      if mode == 0, base & 7 == Instruction.framePointer {
        return byte & 7 == 5 ? number(4).map { _ in (register, .image) } : nil
      }
      guard let displacement = mode == 0 ? 0 : number(mode == 1 ? 1 : 4) else { return nil }
      return (register, .memory(base: base, displacement: displacement))
    }
  }
}

extension Instruction.Operand {
  /// Whether a register's place holds part of the instruction's code.
  fileprivate func isExtension(_ number: Int, _ prefix: UInt8) -> Bool {
    self == .register(number | Int(prefix & 4) << 1)
  }
}
