/// Names a transient framework activity by the functions that release what it held.
public struct HoldRule: Codable, Sendable, Equatable {
  public enum Scope: String, Codable, Sendable {
    /// The hold lasts as long as a call of one of the functions does.
    case call
    /// The hold lasts from its own retain to its own release.
    case reference
    /// The hold is a function's own and spans a call of one of the functions, for which it is made.
    case span
    /// The hold lasts from its own retain to its own release, intentionally: an owner, not a transient activity.
    case owner
  }

  public let id: String
  /// The holder, in the words of a report: "NotificationCenter.post(name:object:)".
  public let holder: String
  /// What it does in the meantime, after "while": "a notification was posted".
  public let activity: String
  public let scope: Scope
  /// Functions by short name; `*` matches any run of characters.
  public let functions: [String]
  /// Types whose objects the program may store as well: if its own code released one, that was an owner.
  public let items: [String]?
  /// Modules that Swift functions must belong to, empty for any; C and C++ functions have none.
  public let modules: [String]
  /// Why the holder keeps the object, and how that is known.
  public let reason: String

  /// Whether a frame matches the rule.
  func matches(_ frame: CodeFrame) -> Bool {
    guard functions.contains(where: { NamePattern($0).matches(frame.function) }) else { return false }
    guard !modules.isEmpty, let module = MangledModule.name(of: frame.mangledName) else { return true }
    return modules.contains(module)
  }
}
