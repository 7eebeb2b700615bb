/// What source code tells through the library Lifeline; the numbers are the format's (lifeline_event.h).
extension Event {
  /// What a tracked reference did.
  public enum ReferenceOperation: UInt64, Sendable {
    case set = 1
    case clear = 2
    case load = 3
    case message = 4
    /// An unowned(unsafe) reference was used after its object had ended.
    case lost = 5
  }

  public enum ReferenceStrength: UInt64, Sendable {
    case strong = 1
    case weak = 2
    case unowned = 3
    case unownedUnsafe = 4
    case unmanaged = 5

    /// As the language writes it.
    public var name: String { self == .unownedUnsafe ? "unowned(unsafe)" : "\(self)" }
  }

  /// A stretch that source code names.
  public enum SpanSort: UInt64, Sendable {
    case phase = 1
    case scope = 2
    case post = 3
    case delivery = 4
    case test = 5
  }

  /// What an object that a span keeps alive is to it.
  public enum HoldRole: UInt64, Sendable {
    case observer = 1
    case payload = 2
    case sender = 3
  }

  public var referenceOperation: ReferenceOperation? {
    kind == .reference ? ReferenceOperation(rawValue: argument0 & 0xFF) : nil
  }
  public var referenceStrength: ReferenceStrength? {
    kind == .reference ? ReferenceStrength(rawValue: argument0 >> 8 & 0xFF) : nil
  }
  /// Address of the object that a tracked reference is a property of.
  public var referenceOwner: UInt64? {
    guard kind == .reference, argument0 >> 16 != 0 else { return nil }
    return argument2 &- argument0 >> 16
  }
  public var spanSort: SpanSort? { kind == .span ? SpanSort(rawValue: argument0 >> 8) : nil }
  public var holdRole: HoldRole? { kind == .hold ? HoldRole(rawValue: argument0 >> 8) : nil }
  /// A span or hold begins here; otherwise it ends.
  public var isBegin: Bool { argument0 & 0xFF == 1 }
}
