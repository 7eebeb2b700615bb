/// Reads the layout of a value from its mangled type (Mangling.rst of Swift).
///
/// Types are written in postfix order, so they are put on a stack until an operator takes them. What is not a type of
/// a capture or of a generic struct's property on 64-bit Linux is not read. O(length), besides the types it refers to.
struct MangledLayout {
  private enum Item {
    /// Nil if its layout is not known.
    case value(ValueLayout?)
    /// A generic type before its arguments.
    case generic(UInt64)
    case standard(Substring)
    /// Whether only classes conform to it, and whether it is Error.
    case proto(isForClasses: Bool, isError: Bool)
    /// Follows the first element of a list.
    case first
    /// Precedes a list, or is one without elements.
    case list
  }

  private let type: MangledType
  /// The layouts of the generic arguments of the type that this is a property of.
  private let arguments: [ValueLayout?]
  private let depth: Int
  private var items: [Item] = []
  /// What "AA", "AB" and so on mean; nil for names.
  private var substitutions: [Item?] = []
  /// The number of protocols of the existential type that was read last.
  private var witnesses: Int?

  private init(_ type: MangledType, _ arguments: [ValueLayout?], depth: Int) {
    (self.type, self.arguments, self.depth) = (type, arguments, depth)
  }

  /// Nil if it is not known.
  static func layout(
    at address: UInt64, arguments: [ValueLayout?] = [], depth: Int = 0, _ structs: inout StructReader,
    _ reader: inout MemoryReader
  ) -> ValueLayout? {
    guard structs.mayRead(depth: depth), let type = MangledType(at: address, &reader) else { return nil }
    if let function = MangledFunction.layout(type) { return function }
    var parser = Self(type, arguments, depth: depth)
    var index = 0
    while index < type.bytes.count {
      guard let next = parser.step(index, &structs, &reader) else { return nil }
      index = next
    }
    guard parser.items.count == 1, let value = parser.popValue() ?? nil, value.size <= ValueLayout.largest else {
      return nil
    }
    return value
  }

  private func byte(_ index: Int) -> Character? {
    index < type.bytes.count ? Character(UnicodeScalar(type.bytes[type.bytes.startIndex + index])) : nil
  }

  /// Reads what begins at a byte; returns the index behind it, nil if it is not known.
  private mutating func step(_ index: Int, _ structs: inout StructReader, _ reader: inout MemoryReader) -> Int? {
    guard let byte = byte(index), let code = byte.asciiValue else { return nil }
    if code < 0x20 { return nominal(index, code, &structs, &reader) }
    let known = witnesses
    witnesses = nil
    switch byte {
    case "S": return standard(index)
    case "A": return substitution(index)
    case "X": return special(index, known)
    case "B": return builtin(index)
    case "x": return push(.value(arguments.first ?? nil), index + 1)
    case "q": return parameter(index)
    case "y": return push(.list, index + 1)
    case "_": return push(.first, index + 1)
    case "p": return existential(isForClasses: false, index + 1)
    case "c": return function(index)
    case "K": return index + 1
    case "Y": return "ab".contains(self.byte(index + 1) ?? "-") ? index + 2 : nil
    case "G": return bind(index, &structs, &reader)
    case "t": return popList().flatMap { push(.value(whole($0)), index + 1) }
    case "1"..."9": return label(index)
    default: return nil
    }
  }

  private mutating func push(_ item: Item, _ end: Int, isSubstitution: Bool = false) -> Int {
    items.append(item)
    if isSubstitution { substitutions.append(item) }
    return end
  }

  /// The layout of the last type; nil if the last item is none.
  private mutating func popValue() -> ValueLayout?? {
    switch items.last {
    case .value(let layout)?:
      items.removeLast()
      return .some(layout)
    case .standard(let code)?:
      items.removeLast()
      return .some(StandardType.layout(code))
    default: return nil
    }
  }

  private func whole(_ values: [ValueLayout?]) -> ValueLayout? {
    let known = values.compactMap(\.self)
    return known.count == values.count ? ValueLayout(known) : nil
  }

  /// The elements of a tuple.
  private mutating func popList() -> [ValueLayout?]? {
    var values: [ValueLayout?] = []
    while let value = popValue() { values.append(value) }
    switch items.popLast() {
    case .list? where values.isEmpty: return []
    case .first?:
      guard let first = popValue() else { return nil }
      return [first] + values.reversed()
    default: return nil
    }
  }

  private mutating func nominal(
    _ index: Int, _ kind: UInt8, _ structs: inout StructReader, _ reader: inout MemoryReader
  ) -> Int? {
    let end = index + FieldType.width(kind)
    guard kind < 0x18, end <= type.bytes.count,
      let context = FieldType.context(kind, at: type.address + UInt64(index + 1), &reader),
      let flags = reader.half(at: context)
    else { return nil }
    let item: Item
    switch flags & 0x1F {
    // ContextDescriptorKind, and the flags of ProtocolContextDescriptorFlags (swift/ABI/MetadataValues.h).
    case 3:
      let special = flags >> 18 & 0x3F
      guard special <= 1 else { return nil }
      item = .proto(isForClasses: flags >> 16 & 1 == 0, isError: special == 1)
    case ClassShape.classKind: item = .value(ValueLayout(.object))
    default:
      item =
        flags & StructReader.Struct.isGeneric != 0
        ? .generic(context) : .value(structs.layout(of: context, depth: depth, &reader))
    }
    return push(item, end, isSubstitution: true)
  }

  private func number(_ index: inout Int) -> Int? {
    let start = index
    var number = 0
    while let digit = byte(index)?.wholeNumberValue, number < 1 << 16 {
      number = number * 10 + digit
      index += 1
    }
    return index > start ? number : nil
  }

  /// A type of the standard library, once or several times, or an optional.
  private mutating func standard(_ index: Int) -> Int? {
    var next = index + 1
    let times = number(&next) ?? 1
    guard 1...100 ~= times, let letter = byte(next), letter.isLetter else { return nil }
    if letter == "g" {
      guard let value = popValue() else { return nil }
      return push(.value(value?.with(cases: 1)), next + 1, isSubstitution: true)
    }
    var code = Substring(String(letter))
    if letter == "c" {
      guard let second = byte(next + 1) else { return nil }
      code.append(second)
    }
    let item = StandardType.isForClasses(code).map { Item.proto(isForClasses: $0, isError: false) }
    for _ in 0..<times { items.append(item ?? .standard(code)) }
    return next + code.count
  }

  /// A type of the compiler's, of which the standard library's are made.
  private mutating func builtin(_ index: Int) -> Int? {
    switch byte(index + 1) {
    case "b", "o": return push(.value(ValueLayout(8, extraInhabitants: ValueLayout.many)), index + 2)
    case "p": return push(.value(ValueLayout(8, extraInhabitants: 1)), index + 2)
    case "w": return push(.value(ValueLayout(8)), index + 2)
    case "i":
      var next = index + 2
      guard let bits = number(&next), [8, 16, 32, 64].contains(bits), byte(next) == "_" else { return nil }
      return push(.value(ValueLayout(bits / 8)), next + 1)
    default: return nil
    }
  }

  /// "AB" is one, "AbC" two, "A3B" one three times.
  private mutating func substitution(_ index: Int) -> Int? {
    var next = index + 1
    while true {
      let times = number(&next) ?? 1
      guard 1...100 ~= times, let letter = byte(next), let code = letter.asciiValue, letter.isLetter else { return nil }
      let place = Int(code) - Int(UInt8(ascii: letter.isUppercase ? "A" : "a"))
      guard place < substitutions.count, let item = substitutions[place] else { return nil }
      for _ in 0..<times { items.append(item) }
      next += 1
      if letter.isUppercase { return next }
    }
  }

  /// The ownership of a reference, or a type of an existential value.
  private mutating func special(_ index: Int, _ witnesses: Int?) -> Int? {
    switch byte(index + 1) {
    case "l": return existential(isForClasses: true, index + 2)
    case "c":
      guard popValue() != nil else { return nil }
      return existential(isForClasses: true, index + 2)
    // The class of self.
    case "D": return index + 2
    case "o": return owned(.unowned, index + 2)
    case "w": return owned(.weak, index + 2)
    case "u": return owned(.unownedUnsafe, index + 2)
    case "M":
      guard byte(index + 2) == "T", popValue() != nil else { return nil }
      return push(.value(ValueLayout(8, extraInhabitants: ValueLayout.many)), index + 3)
    case "m":
      guard let witnesses, byte(index + 2) == "T", popValue() != nil else { return nil }
      return push(.value(ValueLayout(8 + 8 * witnesses, extraInhabitants: ValueLayout.many)), index + 3)
    default: return nil
    }
  }

  private mutating func owned(_ ownership: HeapField.Ownership, _ end: Int) -> Int? {
    guard let value = popValue() ?? nil, let owned = value.owned(ownership) else { return nil }
    return push(.value(owned), end)
  }

  /// A value of types that conform to protocols.
  private mutating func existential(isForClasses: Bool, _ end: Int) -> Int? {
    var protocols: [(isForClasses: Bool, isError: Bool)] = []
    func popProtocol() -> Bool {
      guard case .proto(let isForClasses, let isError)? = items.last else { return false }
      items.removeLast()
      protocols.append((isForClasses, isError))
      return true
    }
    while popProtocol() {}
    switch items.popLast() {
    case .list? where protocols.isEmpty: break
    case .first? where popProtocol(): break
    default: return nil
    }
    // An error alone is a reference to its box.
    if protocols.count == 1, protocols[0].isError, !isForClasses { return push(.value(ValueLayout(.object)), end) }
    let isObject = isForClasses || protocols.contains { $0.isForClasses }
    let size = (isObject ? 8 : ExistentialReader.size) + 8 * protocols.count
    witnesses = protocols.count
    return push(.value(ValueLayout(isObject ? .object : .existential, size: size)), end)
  }

  /// A function with a context, of a property or a generic argument: its result, parameters and attributes precede it.
  private mutating func function(_ index: Int) -> Int? {
    for _ in 0..<2 {
      if case .list? = items.last { items.removeLast() } else if popValue() == nil { return nil }
    }
    return push(.value(ValueLayout(16, alignment: 8, extraInhabitants: ValueLayout.many)), index + 1)
  }

  /// The second generic parameter is "q_", the third "q0_".
  private mutating func parameter(_ index: Int) -> Int? {
    var next = index + 1
    let place = number(&next).map { $0 + 2 } ?? 1
    guard byte(next) == "_" else { return nil }
    return push(.value(place < arguments.count ? arguments[place] : nil), next + 1)
  }

  /// Generic arguments, those of the outer types first.
  private mutating func bind(_ index: Int, _ structs: inout StructReader, _ reader: inout MemoryReader) -> Int? {
    var arguments: [ValueLayout?] = []
    while true {
      if let value = popValue() {
        arguments.append(value)
        continue
      }
      switch items.popLast() {
      case .first?: continue
      case .list?: break
      default: return nil
      }
      break
    }
    arguments.reverse()
    let layout: ValueLayout?
    switch items.popLast() {
    case .standard(let code)?: layout = StandardType.layout(code, arguments)
    case .generic(let context)?: layout = structs.layout(of: context, arguments, depth: depth + 1, &reader)
    case .value(let value)?: layout = value
    default: return nil
    }
    return push(.value(layout), index + 1, isSubstitution: true)
  }

  /// The name of an element. One with a zero at its start has parts of previous names, and is not read.
  private mutating func label(_ index: Int) -> Int? {
    switch items.last {
    case .value?, .standard?: break
    default: return nil
    }
    var end = index
    guard let length = number(&end), end + length <= type.bytes.count else { return nil }
    substitutions.append(nil)
    return end + length
  }
}
