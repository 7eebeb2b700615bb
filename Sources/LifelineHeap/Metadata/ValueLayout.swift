/// The size of a captured value, or of the one in a box, and the references in it.
struct ValueLayout {
  private(set) var size: Int
  /// A power of two.
  private(set) var alignment: Int
  /// Bit patterns that no value has, and that an optional one uses for nil before it takes another byte.
  private(set) var extraInhabitants: Int
  /// Parts that are a reference, an object's address or an existential, ascending.
  private(set) var references: [HeapField] = []

  /// Any number that no nesting of optionals uses up.
  static let many = 1 << 20
  /// Bytes; larger ones are those of invalid memory, and their sizes are not summed up.
  static let largest = 1 << 20

  /// A value without references, or whose parts are not known.
  init(_ size: Int, alignment: Int? = nil, extraInhabitants: Int = 0) {
    (self.size, self.extraInhabitants) = (size, extraInhabitants)
    self.alignment = alignment ?? max(1, min(size, 8))
  }

  /// A value with one part, at its start.
  init(_ content: HeapField.Content, size: Int = 8, ownership: HeapField.Ownership = .strong) {
    self.init(size, alignment: 8, extraInhabitants: content == .word ? 1 : Self.many)
    let part = content == .existential ? size : 8
    references = [HeapField(name: "", offset: 0, size: part, ownership: ownership, content: content)]
  }

  /// Values that follow each other: of a tuple or a struct.
  init(_ values: [Self]) {
    self.init(0)
    for value in values { append(value) }
  }

  private mutating func append(_ value: Self) {
    let offset = Self.aligned(size, to: value.alignment)
    references += value.references.map { $0.moved(by: offset) }
    size = min(offset + value.size, Self.largest + 1)
    alignment = max(alignment, value.alignment)
    extraInhabitants = max(extraInhabitants, value.extraInhabitants)
  }

  /// With as many cases without a payload, such as an optional's nil.
  func with(cases: Int) -> Self {
    var value = self
    if cases <= extraInhabitants {
      value.extraInhabitants -= cases
    } else {
      value.size += 1
      value.extraInhabitants = 0
    }
    return value
  }

  /// A value whose parts are not known.
  var withoutReferences: Self { Self(size, alignment: alignment, extraInhabitants: extraInhabitants) }

  /// A reference of this type that is weak or unowned; nil if it is none.
  func owned(_ ownership: HeapField.Ownership) -> Self? {
    guard references.count == 1, references[0].content == .object, references[0].ownership == .strong else {
      return nil
    }
    return Self(.object, size: size, ownership: ownership)
  }

  static func aligned(_ offset: Int, to alignment: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }
}
