/// Follows values through the instructions around a call that retains or releases a reference.
///
/// Only straight code is read, up to the next instruction that does anything else than move values, and past calls that
/// begin or end an access to a property or count other references. x86-64 only.
struct ReferenceMoveScan {
  let move: ReferenceMove?
  /// What the code stores in memory: the retained reference, or another one in place of the released one.
  let store: ValueFlow.Store?

  /// Whether a retained reference is stored in memory that was allocated just before.
  var isInNewMemory: Bool {
    if case .stored(_, from: .new)? = move { true } else { false }
  }

  /// Instructions before and after the call that are read: where an object comes from may be far before.
  private static let before = 48, after = 24

  /// What is read of the code around a call whose last byte is at an address below the highest.
  static func code(around end: UInt64) -> Range<UInt64> {
    let before = UInt64(Self.before * Instruction.longest), after = UInt64(Self.after * Instruction.longest)
    return end - min(end, before)..<end + min(after, .max - end)
  }

  /// `end` is the address of the last byte of the call; at `boundaries` instructions begin, at others perhaps as well.
  /// `isOptimized` is nil if unknown, and `start`, where the function begins.
  init(
    around end: UInt64, _ calls: CountingCalls, boundaries: Set<UInt64> = [], start: UInt64? = nil, isOptimized: Bool?
  ) {
    let counted = calls.callee(endingAt: end)
    guard end < .max, counted == .retain || counted == .release else {
      (move, store) = (nil, nil)
      return
    }
    let (preceding, following) = calls.code.bytes(
      Self.before * Instruction.longest, before: end + 1, Self.after * Instruction.longest)
    var flow = ValueFlow()
    var reference: Int?
    var retained: [(value: Int, address: UInt64)] = []
    var several: Set<Int> = []
    var before = Self.chain(preceding, end + 1, calls, boundaries)
    let isWhole = start.map { Self.cut(&before, to: $0, preceding, end + 1) } ?? false
    for (address, instruction) in before + Self.chain(following, from: end + 1, calls) {
      guard instruction.effect == .call else {
        flow.run(instruction.effect, at: address)
        continue
      }
      let last = address + UInt64(instruction.length) - 1
      guard let callee = calls.callee(endingAt: last) else { continue }
      let argument = flow.registers[Instruction.rdi]
      if last == end { reference = argument }
      if callee == .retain { retained.append((argument, last)) }
      if callee == .several { several.insert(argument) }
      flow.call(callee)
    }
    // Which of several stores are those of one call is unknown.
    guard let reference, !several.contains(reference), !flow.scattered.contains(reference) else {
      (move, store) = (nil, nil)
      return
    }
    if counted == .retain {
      let own = Self.store(
        of: end, flow.stores.filter { $0.value == reference },
        retained.filter { $0.value == reference }.map(\.address), isOptimized)
      store = own
      if let own {
        let base = flow.bases[own.place.base]
        move = .stored(offset: own.place.field, from: own.isReplacing || base == .new ? base ?? .unknown : .unknown)
      } else if case .loaded(let place) = flow.origins[reference] {
        move = .copied(offset: place.field)
      } else {
        move = nil
      }
      return
    }
    // Code that is not optimized releases what it copied, not what it copied from.
    let isCopied = isOptimized == false && retained.contains { $0.value == reference && $0.address < end }
    switch flow.origins[reference] {
    case .frame: (move, store) = (.local, nil)
    case .loaded(let place):
      store = flow.stores.first { $0.place == place }
      let isOwn = isWhole && place.base == Instruction.swiftSelf
      move = store == nil && isCopied ? .local : .removed(offset: place.field, isReplaced: store != nil, isOwn: isOwn)
    case .unknown, .address: (move, store) = (isOptimized == false && flow.isInFrame(reference) ? .local : nil, nil)
    }
  }

  /// Which of the stores of a reference is that of a retain, whose call ends at an address.
  private static func store(
    of end: UInt64, _ stores: [ValueFlow.Store], _ retains: [UInt64], _ isOptimized: Bool?
  ) -> ValueFlow.Store? {
    if isOptimized == false {
      // It retains first, and stores then.
      let next = retains.first { $0 > end } ?? .max
      return stores.first { $0.address > end && $0.address < next }
    }
    // Either may come first. If each retain has a store, they are in the same order.
    return stores.count == retains.count ? retains.firstIndex(of: end).map { stores[$0] } : nil
  }

  /// The instructions that end with a call, and its own.
  ///
  /// Where several readings of the bytes before it are possible, that of the most instructions counts, and of equal
  /// ones the longest: the others end in what is no instruction, or leave out a prefix.
  private static func chain(
    _ bytes: [UInt8], _ end: UInt64, _ calls: CountingCalls, _ boundaries: Set<UInt64>
  ) -> [(UInt64, Instruction)] {
    // The longest chain of instructions from each place to the end.
    var chains: [Int: [(UInt64, Instruction)]] = [bytes.count: []]
    for place in bytes.indices.reversed() {
      guard let instruction = Instruction(bytes[place...]), let rest = chains[place + instruction.length],
        rest.count < before
      else { continue }
      let address = end - UInt64(bytes.count - place)
      let last = address + UInt64(instruction.length) - 1
      if address < last, (address + 1...last).contains(where: boundaries.contains) { continue }
      // What is read last must be the call itself.
      guard instruction.effect == .call ? calls.callee(endingAt: last) != nil : !rest.isEmpty else { continue }
      chains[place] = [(address, instruction)] + rest
    }
    return chains.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
  }

  /// Removes what is before a function's start from the instructions before a call; returns whether they are all of
  /// the function up to there, apart from those that make its stack frame.
  private static func cut(
    _ instructions: inout [(UInt64, Instruction)], to start: UInt64, _ bytes: [UInt8], _ end: UInt64
  ) -> Bool {
    instructions.removeFirst(instructions.prefix { $0.0 < start }.count)
    guard let first = instructions.first?.0, start < end, start >= end - UInt64(bytes.count) else { return false }
    var rest = bytes[(bytes.count - Int(end - start))...].prefix(Int(first - start))
    while let length = frameInstruction(rest) { rest = rest.dropFirst(length) }
    return rest.isEmpty
  }

  /// The length of an instruction that begins a function: endbr64, push, mov %rsp,%rbp, sub $…,%rsp; nil for others.
  private static func frameInstruction(_ bytes: ArraySlice<UInt8>) -> Int? {
    let known: [(start: [UInt8], length: Int)] = [
      ([0xF3, 0x0F, 0x1E, 0xFA], 4), ([0x48, 0x89, 0xE5], 3), ([0x48, 0x83, 0xEC], 4), ([0x48, 0x81, 0xEC], 7),
    ]
    if let length = known.first(where: { bytes.starts(with: $0.start) })?.length {
      return length <= bytes.count ? length : nil
    }
    let push: ClosedRange<UInt8> = 0x50...0x57
    guard let first = bytes.first else { return nil }
    if push ~= first { return 1 }
    return first == 0x41 && bytes.dropFirst().first.map { push ~= $0 } == true ? 2 : nil
  }

  /// The instructions from an address on.
  private static func chain(
    _ bytes: [UInt8], from start: UInt64, _ calls: CountingCalls
  ) -> [(UInt64, Instruction)] {
    var found: [(UInt64, Instruction)] = []
    var rest = bytes[...]
    while found.count < after, let instruction = Instruction(rest) {
      let address = start + UInt64(rest.startIndex)
      let last = address + UInt64(instruction.length) - 1
      if instruction.effect == .call, calls.callee(endingAt: last) == nil { break }
      found.append((address, instruction))
      rest = rest.dropFirst(instruction.length)
    }
    return found
  }
}
