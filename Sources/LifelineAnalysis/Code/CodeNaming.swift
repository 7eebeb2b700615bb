import LifelineSymbolication
import LifelineTrace

/// Names for the analysis, which itself knows addresses only: what a floor above it gives to a diagnosis.
public protocol CodeNaming {
  /// The functions of a backtrace, innermost first, inlined ones included.
  func frames(of sites: [BacktraceEntry]) -> [CodeFrame]
  /// Identity of the function that a site lies in: equal for all its call sites.
  func functionIdentity(of site: BacktraceEntry) -> UInt64
  /// Stored properties of the program's classes, by full class name.
  var storedProperties: [String: [StoredProperty]] { get }
  /// Superclasses of the program's classes, by full names.
  var superclasses: [String: String] { get }
  /// The types of the program's global and static variables, and of what its structures and enumerations store;
  /// "Swift.Array<App.Token>".
  var variableTypes: [String] { get }
  /// The types that the payloads of indirect enumerations are made of, by full names.
  var boxedTypes: Set<String> { get }
  /// The structures and enumerations that refer to an object without keeping it, by full names.
  var referringValueTypes: Set<String> { get }
  /// Whether a class may conform to protocols, as `StoredProperty.protocols` calls them.
  func mayConform(_ className: String, to protocols: Set<String>) -> Bool
  /// Whether a person wrote a class's deinit; nil where nothing tells. The name is full, and without type arguments.
  func isDeinitWritten(_ className: String) -> Bool?
}

extension CodeNaming {
  public var boxedTypes: Set<String> { [] }
  public var referringValueTypes: Set<String> { [] }
  public func mayConform(_ className: String, to protocols: Set<String>) -> Bool { true }
  public var variableTypes: [String] { [] }
  public func isDeinitWritten(_ className: String) -> Bool? { nil }
}
