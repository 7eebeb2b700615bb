import LifelineSymbolication
import LifelineTrace

/// A closure that used an object, and how closures of the program capture such objects without counting the reference.
public struct Capturer: Sendable {
  public let closure: CodeFrame
  /// Where it used the object.
  public let site: BacktraceEntry
  public let strengths: Set<StoredProperty.Strength>
  /// Structs and enums of the program that refer to an object without keeping it, by their short names.
  public let values: Set<String>
}
