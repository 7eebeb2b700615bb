import LifelineSymbolication
import LifelineTrace

/// Names for the analysis, which itself knows only addresses; a higher module provides them to a diagnosis.
public protocol CodeNaming {
  /// The functions of a backtrace, innermost first, inlined ones included.
  func frames(of sites: [BacktraceEntry]) -> [CodeFrame]
  /// Identity of the function that contains a site: equal for all its call sites.
  func functionIdentity(of site: BacktraceEntry) -> UInt64
  /// Stored properties of the program's classes, by full class name.
  var storedProperties: [String: [StoredProperty]] { get }
  /// The properties of @Observable classes, "App.Folder.parent", which are stored under the same name after "_".
  var observedProperties: Set<String> { get }
  /// The functions with Swift Testing's @Test, "SessionTests.closing", without arguments.
  var testFunctions: Set<String> { get }
  /// Superclasses of the program's classes, by full names.
  var superclasses: [String: String] { get }
  /// The types in the arguments of the program's generic superclasses, by full name.
  var superclassArguments: Set<String> { get }
  /// What closures capture without counting it, as nameless properties.
  var uncountedCaptures: [StoredProperty] { get }
  /// The types of the program's global and static variables, and of the stored properties of its structs and enums;
  /// "Swift.Array<App.Token>".
  var variableTypes: [String] { get }
  /// The references of structs and enums that keep nothing alive, by the type's full name.
  var referringValues: [String: [StoredProperty]] { get }
  /// Whether a class may conform to protocols, named as in `StoredProperty.protocols`.
  func mayConform(_ className: String, to protocols: Set<String>) -> Bool
  /// Whether a class has a handwritten deinit; nil if unknown. The name is full, and without type arguments.
  func isDeinitWritten(_ className: String) -> Bool?
  /// What the handwritten deinit of such a class calls; nil if there is none or it is unknown.
  func callsInDeinit(of className: String) -> DeinitCalls?
  /// Whether the code of a site was optimized; nil if unknown.
  func isOptimized(_ site: BacktraceEntry) -> Bool?
  /// Whether the function at a site, which the compiler made to end what a closure captured, may end the box of a value
  /// instead: an indirect case, or a large value behind a protocol.
  func mayEndBox(_ site: BacktraceEntry) -> Bool
  /// Where the code of a site that retains or releases a reference puts it, or has it from; nil if unknown.
  func referenceMove(_ site: BacktraceEntry) -> ReferenceMove?
  /// The line on which the closure whose code begins at an address is written; nil if unknown.
  func line(ofClosureAt address: UInt64) -> Int?
}

extension CodeNaming {
  public var observedProperties: Set<String> { [] }
  public var testFunctions: Set<String> { [] }
  public var superclassArguments: Set<String> { [] }
  public var uncountedCaptures: [StoredProperty] { [] }
  public var referringValues: [String: [StoredProperty]] { [:] }
  public func mayConform(_ className: String, to protocols: Set<String>) -> Bool { true }
  public var variableTypes: [String] { [] }
  public func isDeinitWritten(_ className: String) -> Bool? { nil }
  public func callsInDeinit(of className: String) -> DeinitCalls? { nil }
  public func isOptimized(_ site: BacktraceEntry) -> Bool? { nil }
  public func mayEndBox(_ site: BacktraceEntry) -> Bool { false }
  public func referenceMove(_ site: BacktraceEntry) -> ReferenceMove? { nil }
  public func line(ofClosureAt address: UInt64) -> Int? { nil }
}
