import LifelineHeap
import LifelineLifetimes
import LifelineSymbolication

/// A step on the path that holds leaked objects: who refers, through which property, and when that was stored.
public struct LeakStep: Sendable {
  public enum Kind: String, Sendable {
    /// An object; its reference is in a property.
    case object
    /// A closure's context, or the function whose context the next step's object itself is.
    case closure
    /// The storage of an array, dictionary or set.
    case storage
    /// The box of a variable that closures captured.
    case variable
    case task
    /// Memory without a class.
    case memory
  }

  public let kind: Kind
  /// Full class name; "" for memory.
  public let className: String
  /// Nil if the allocation was not recorded.
  public let object: ObjectID?
  /// The property that holds the next step; nil for nodes without properties and for the last step.
  public let property: String?
  /// Address of a closure's function.
  public let function: UInt64?
  /// Addresses of the program's own functions in which a suspended task resumes, the innermost first.
  public let waitsIn: [UInt64]
  /// What a suspended task waits for, if known.
  public let waitsFor: HeapTask.Wait?
  public internal(set) var bytes: Int
  /// Retains or allocations, one of which made this reference to the next step's object, one per place in the program,
  /// in the order of events; empty if unknown.
  public internal(set) var stores: [HistoryRow] = []
  /// Whether the holder of the next step's object has it in another property as well.
  var isHeldTwice = false
  /// Where in the object or variable the property is, in the forms in which code says it, and how many holders of that
  /// object have it there.
  var place: (offsets: [FieldOffset], holders: Int)?
  /// Where a recorded context was allocated.
  public var allocation: HistoryRow?
  /// What released such a reference in a freed object; at most one step of a leak has it.
  public internal(set) var counterpart: Counterpart?
  /// The reference that the suggestion removes.
  public internal(set) var isCut = false

  init(
    kind: Kind, className: String = "", object: ObjectID? = nil, property: String? = nil, function: UInt64? = nil,
    waitsIn: [UInt64] = [], waitsFor: HeapTask.Wait? = nil, bytes: Int = 0
  ) {
    self.kind = kind
    self.className = className
    self.object = object
    self.property = property
    self.function = function
    self.waitsIn = waitsIn
    self.waitsFor = waitsFor
    self.bytes = bytes
  }

  /// The retain or allocation that made this reference to the next step's object, if only one can have done so.
  public var store: HistoryRow? { stores.count == 1 ? stores[0] : nil }

  /// A box of a value, such as a struct too large for an existential, or of an error.
  public var isBox: Bool { kind == .storage && [Self.boxName, "(error)"].contains(className) }
  static let boxName = "(box)"

  /// The object's own property, which has accessors: `state` for `state.parent`.
  var ownProperty: String? { property.map { String($0.prefix { $0 != "." }) } }

  /// Without its module, as users name the class.
  public var shortClassName: String { ObjectID(className: className, number: 1).shortClassName }
}
