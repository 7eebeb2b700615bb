/// The type of a node: a Swift class, another kind of heap object of the runtime, or plain memory.
public struct HeapType: Hashable, Sendable {
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Memory from malloc or a mapping, without Swift metadata.
    case memory = 0
    /// An instance of a class in source code.
    case object = 1
    /// The storage of an array, a dictionary or a set: a class of the standard library followed by elements.
    case storage = 2
    /// A box for a captured variable.
    case box = 3
    /// A closure context.
    case closure = 4
    /// An asynchronous task.
    case task = 5
    /// Other heap metadata of the runtime.
    case other = 6
  }

  public let kind: Kind
  /// `Module.Outer.Inner`, with generic arguments in angle brackets if readable; "" for plain memory.
  public let name: String
  /// The address of the metadata in the process; 0 for plain memory.
  public let metadata: UInt64
  /// Whether the class comes from the program's own images, not from the toolchain's or the system's.
  public let isOwn: Bool
  /// All stored properties, superclasses first; empty if unknown. Of a box, the parts of the program's struct in it,
  /// named `Struct.part`, and of a closure context also the captures that are one reference, without a name.
  public let fields: [HeapField]

  public init(
    kind: Kind, name: String = "", metadata: UInt64 = 0, isOwn: Bool = false, fields: [HeapField] = []
  ) {
    self.kind = kind
    self.name = name
    self.metadata = metadata
    self.isOwn = isOwn
    self.fields = fields
  }

  public static let memory = HeapType(kind: .memory)

  func withFields(_ fields: [HeapField]) -> HeapType {
    HeapType(kind: kind, name: name, metadata: metadata, isOwn: isOwn, fields: fields)
  }

  /// The field that covers a byte of an instance.
  public func field(at offset: Int) -> HeapField? {
    fields.last { $0.offset <= offset && offset < $0.offset + $0.size }
  }

  /// The name without its module, as users name the class.
  public var shortName: String {
    guard let dot = name.firstIndex(of: "."), !name[..<dot].contains("<") else { return name }
    return String(name[name.index(after: dot)...])
  }
}
