/// Events that source code reports through the Lifeline library; the numbers are the format's (lifeline_event.h).
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

    /// As written in the language.
    public var name: String { self == .unownedUnsafe ? "unowned(unsafe)" : "\(self)" }
  }

  /// A span named by source code.
  public enum SpanSort: UInt64, Sendable {
    case phase = 1
    case scope = 2
    case post = 3
    case delivery = 4
    case test = 5
  }

  /// The role of an object that a span keeps alive.
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
  /// Address of the object that has a tracked reference as a property.
  public var referenceOwner: UInt64? {
    guard kind == .reference, argument0 >> 16 != 0 else { return nil }
    return argument2 &- argument0 >> 16
  }
  public var spanSort: SpanSort? { kind == .span ? SpanSort(rawValue: argument0 >> 8) : nil }
  public var holdRole: HoldRole? { kind == .hold ? HoldRole(rawValue: argument0 >> 8) : nil }
  /// Whether a span or hold begins here; otherwise it ends.
  public var isBegin: Bool { argument0 & 0xFF == 1 }
}
