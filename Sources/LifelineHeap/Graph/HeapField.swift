/// A stored property of a class, or a capture of a closure: its offset, and whether it keeps what it refers to alive.
public struct HeapField: Hashable, Sendable {
  /// How the field refers to objects; for a field without references, `strong`.
  public enum Ownership: UInt8, Sendable, CaseIterable {
    case strong = 0
    case weak = 1
    case unowned = 2
    case unownedUnsafe = 3
  }

  /// The kind of the field's type.
  public enum Content: UInt8, Sendable, CaseIterable {
    /// A struct, an enum, a tuple, a closure, a generic parameter, or unknown.
    case anything = 0
    /// Neither it nor the padding after it can hold a reference.
    case number = 1
    /// A class, or a protocol for classes only; optional or not.
    case object = 2
    /// `Any` or a protocol whose values may be structs; optional or not.
    case existential = 3
    /// A number or an address that is a whole word, such as `Int` and `UnsafeRawPointer`, so that a pointer in it is
    /// aligned. The byte after an optional number is not zero if it is nil, and the word then is what was in the memory
    /// before.
    case word = 4
  }

  /// What a variable must be set to so that it refers to nothing.
  public enum Clearing: UInt8, Sendable, CaseIterable {
    /// The type is a struct, a generic parameter or the like, or is not known.
    case unknown = 0
    /// An optional.
    case byNil = 1
    /// An array, a dictionary or a set.
    case byEmptying = 2
    /// A class or a closure: it always refers to something.
    case never = 3
    /// The same in an optional value, a struct's, which is set to nil instead.
    case withValue = 4
    /// An optional that a mutex protects, which cannot be declared weak.
    case protectedByNil = 5
  }

  /// Empty if the field has no name, like a capture.
  public let name: String
  /// Bytes from the object's address.
  public let offset: Int
  /// Bytes up to the next field or the object's end.
  public let size: Int
  public let ownership: Ownership
  public let content: Content
  /// A `let`: its reference cannot be cleared.
  public let isConstant: Bool
  public let clearing: Clearing
  /// The offset in the class's metadata of the word with this field's offset, which generic code reads; nil for other
  /// fields than a class's.
  public let offsetWord: Int?

  public init(
    name: String, offset: Int, size: Int, ownership: Ownership = .strong, content: Content = .object,
    isConstant: Bool = false, clearing: Clearing = .unknown, offsetWord: Int? = nil
  ) {
    self.name = name
    self.offset = offset
    self.size = size
    self.ownership = ownership
    self.content = content
    self.isConstant = isConstant
    self.clearing = clearing
    self.offsetWord = offsetWord
  }

  /// A number that may be nil.
  var isOptionalWord: Bool { content == .word && clearing == .byNil && offset & 7 == 0 }

  /// Some bytes of the field as one of their own.
  func part(at start: Int, size: Int, _ content: Content) -> HeapField {
    HeapField(
      name: name, offset: offset + start, size: size, ownership: ownership, content: content, isConstant: isConstant,
      clearing: clearing, offsetWord: start == 0 ? offsetWord : nil)
  }

  func moved(by bytes: Int) -> HeapField {
    HeapField(
      name: name, offset: offset + bytes, size: size, ownership: ownership, content: content, isConstant: isConstant,
      clearing: clearing)
  }

  func cleared(_ clearing: Clearing) -> HeapField {
    HeapField(
      name: name, offset: offset, size: size, ownership: ownership, content: content, isConstant: isConstant,
      clearing: clearing, offsetWord: offsetWord)
  }

  func named(_ name: String) -> HeapField {
    HeapField(
      name: name, offset: offset, size: size, ownership: ownership, content: content, isConstant: isConstant,
      clearing: clearing, offsetWord: offsetWord)
  }
}
