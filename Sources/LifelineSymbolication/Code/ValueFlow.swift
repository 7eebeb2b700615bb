/// Which values are equal, and where they come from, while straight code moves them between registers and memory.
///
/// Two places in memory are taken for different ones if their addresses are computed from different values.
struct ValueFlow {
  struct Place: Hashable {
    /// The number of the value that is the address.
    let base: Int
    let offset: Int
    /// The offset in the base's metadata of a word with a further offset.
    var word: Int?
    var field: FieldOffset { word.map { .inMetadata($0, plus: offset) } ?? .constant(offset) }
  }

  enum Origin {
    case unknown
    /// The function's stack frame.
    case frame
    case loaded(Place)
    case address(Place)
  }

  struct Store {
    let value: Int
    let place: Place
    /// Whether what was there had been read, as code does that counts the references in that place.
    let isReplacing: Bool
    /// Of the instruction.
    let address: UInt64
  }

  /// Of the values, by their numbers.
  private(set) var origins: [Origin]
  /// The number of each register's value.
  private(set) var registers: [Int]
  private var frame: [Instruction.Operand: Int] = [:]
  private var memory: [Place: Int] = [:]
  /// To memory outside of the frame, in order.
  private(set) var stores: [Store] = []
  /// Values that were also stored at places that are not known.
  private(set) var scattered: Set<Int> = []
  /// Values that are the addresses of objects or new memory, as what was called shows.
  private(set) var bases: [Int: ReferenceMove.Base] = [:]

  init() {
    registers = Array(0..<16)
    origins = Array(repeating: .unknown, count: 16)
  }

  mutating func run(_ effect: Instruction.Effect, at address: UInt64) {
    switch effect {
    case .move(let source, let target): write(read(source), to: target, at: address)
    case .constant(let target): write(new(.unknown), to: target, at: address)
    case .wide(let target):
      write(new(.unknown), to: target, at: address)
      if case .memory(let base, let displacement) = target {
        write(new(.unknown), to: .memory(base: base, displacement: displacement + 8), at: address)
      }
    case .address(let base, let displacement, let target):
      let isFrame = Self.isFrame(base, displacement)
      registers[target] = new(isFrame ? .unknown : .address(place(registers[base], displacement)))
    case .add(let amount, let target): registers[target] = new(.address(place(registers[target], amount)))
    case .addRegister(let offset, let target):
      let place = place(registers[target], plus: registers[offset]) ?? place(registers[offset], plus: registers[target])
      registers[target] = new(place.map { .address($0) } ?? .unknown)
    case .call, .none: break
    }
  }

  mutating func call(_ callee: CountingCalls.Callee) {
    let argument = registers[Instruction.rdi]
    if callee == .access, case .address(let place) = origins[argument] {
      bases[place.base] = .object
    }
    for register in registers.indices where !Instruction.preserved.contains(register) {
      registers[register] = new(.unknown)
    }
    if callee == .retain { registers[Instruction.rax] = argument }
    if callee == .allocation { bases[registers[Instruction.rax]] = .new }
  }

  /// Whether the function's stack frame has a value.
  func isInFrame(_ value: Int) -> Bool { frame.values.contains(value) }

  /// Optimized code uses the frame pointer like any register; a frame is below it.
  private static func isFrame(_ base: Int, _ displacement: Int) -> Bool {
    base == Instruction.stackPointer || base == Instruction.framePointer && displacement < 0
  }

  private mutating func new(_ origin: Origin) -> Int {
    origins.append(origin)
    return origins.count - 1
  }

  private func place(_ base: Int, _ displacement: Int) -> Place {
    if case .address(let place) = origins[base] {
      return Place(base: place.base, offset: place.offset + displacement, word: place.word)
    }
    return Place(base: base, offset: displacement)
  }

  /// The place in an object whose offset is a value from the object's own metadata; nil if it is not.
  private func place(_ object: Int, plus offset: Int) -> Place? {
    guard case .loaded(let word) = origins[offset], word.word == nil, word.offset > 0,
      case .loaded(Place(base: object, offset: 0)) = origins[word.base]
    else { return nil }
    return Place(base: object, offset: 0, word: word.offset)
  }

  private func place(_ operand: Instruction.Operand) -> Place? {
    switch operand {
    case .memory(let base, let displacement): place(registers[base], displacement)
    case .indexed(let base, let index, let displacement):
      place(registers[base], plus: registers[index]).map { Place(base: $0.base, offset: displacement, word: $0.word) }
    case .register, .image: nil
    }
  }

  private mutating func read(_ operand: Instruction.Operand) -> Int {
    if case .register(let number) = operand { return registers[number] }
    if case .memory(let base, let displacement) = operand, Self.isFrame(base, displacement) {
      if let known = frame[operand] { return known }
      frame[operand] = new(.frame)
      return origins.count - 1
    }
    guard let place = place(operand) else { return new(.unknown) }
    if let known = memory[place] { return known }
    memory[place] = new(.loaded(place))
    return origins.count - 1
  }

  private mutating func write(_ value: Int, to operand: Instruction.Operand, at address: UInt64) {
    switch operand {
    case .register(let number): registers[number] = value
    case .memory(let base, let displacement) where Self.isFrame(base, displacement):
      frame[operand] = value
    case .image: break
    case .memory, .indexed:
      guard let place = place(operand) else {
        scattered.insert(value)
        return
      }
      let isReplacing = memory.updateValue(value, forKey: place) != nil
      stores.append(Store(value: value, place: place, isReplacing: isReplacing, address: address))
    }
  }
}
