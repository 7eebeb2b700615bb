/// Types of the toolchain's libraries that never hold an object of the program: numbers, strings, dates, locks, queues,
/// and optionals, tuples and collections of them.
enum PlainTypes {
  /// The second letters of the standard library's types that begin with "S" (Mangling.rst): Array, Bool, Dictionary,
  /// Double, Float, Set, Int, Character, Range, ClosedRange, ObjectIdentifier, Optional, String, Substring, UInt.
  private static let letters = Set("abDdfhiJnNOqgSsu".utf8)

  private static let symbols: Set<String> = Set(
    [
      "s4Int8V", "s5Int16V", "s5Int32V", "s5Int64V", "s6Int128V", "s5UInt8V", "s6UInt16V", "s6UInt32V", "s6UInt64V",
      "s7UInt128V", "s7Float16V", "s7Float80V", "s8DurationV", "s12StaticStringV",
      "20FoundationEssentials4DateV", "20FoundationEssentials4DataV", "20FoundationEssentials4UUIDV",
      "20FoundationEssentials3URLV", "20FoundationEssentials6LocaleV", "20FoundationEssentials8TimeZoneV",
      "20FoundationEssentials8CalendarV", "20FoundationEssentials12DateIntervalV",
      "10Foundation6NSLockC", "10Foundation15NSRecursiveLockC", "10Foundation11NSConditionC",
      "8Dispatch0A5QueueC", "8Dispatch0A9SemaphoreC", "8Dispatch0A5GroupC", "8Dispatch0A4TimeV",
    ].map { "$s\($0)Mn" })

  /// Whether a mangled type is such a one; `imports` has the symbols of the descriptors that it refers to, and `text`
  /// is what is left of it.
  static func contain(_ text: String, imports: [String]) -> Bool {
    guard imports.allSatisfy(symbols.contains) else { return false }
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      // An empty list, the end of one, what separates and ends the elements of a tuple.
      case UInt8(ascii: "y"), UInt8(ascii: "G"), UInt8(ascii: "_"), UInt8(ascii: "t"): continue
      case UInt8(ascii: "S"): if rest.popFirst().map(letters.contains) != true { return false }
      default: return false
      }
    }
    return true
  }
}
