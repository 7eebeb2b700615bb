import LifelineAnalysis
import LifelineLifetimes

/// An entry of `holders only [App, NotificationCenter:transient]`: a holder's name or its first parts.
public struct HolderPattern: Sendable, Equatable {
  public let text: String
  private let name: NamePattern
  private let beginning: NamePattern
  private let isTransient: Bool
  /// The name without its last part: the class of a property.
  private let owner: NamePattern?

  /// "Master.detail", "Master" (any property of it), "*.detail", "closure"; with ":transient" a transient activity.
  init(_ text: String) {
    self.text = text
    isTransient = text.hasSuffix(":transient")
    let plain = isTransient ? String(text.dropLast(":transient".count)) : text
    name = NamePattern(plain)
    beginning = NamePattern(plain + ".*")
    owner = plain.lastIndex(of: ".").map { NamePattern(String(plain[..<$0])) }
  }

  func matches(_ holder: Holder) -> Bool {
    guard holder.isTransient == isTransient, let names = Self.names(holder) else { return false }
    return names.contains { name.matches($0) || beginning.matches($0) }
  }

  /// Whether it names a property of the class of which the holder is some property.
  func mayMatch(_ holder: Holder) -> Bool {
    guard case .property(_, nil, _) = holder, !isTransient, let owner, let names = Self.names(holder) else {
      return false
    }
    return names.contains(where: owner.matches)
  }

  /// A holder's names, with and without its module and its type arguments; nil if it has no name, like "a stored
  /// reference".
  static func names(_ holder: Holder) -> [String]? {
    switch holder {
    case .property(let className, let property, _):
      let plain = className.withoutTypeArguments
      let names = plain == className ? [className] : [className, plain]
      return names.flatMap { [$0, ObjectID(className: $0, number: 1).shortClassName] }.map { name in
        property.map { "\(name).\($0)" } ?? name
      }
    case .reference: return nil
    case .closure: return ["closure"]
    case .function(let function): return [function]
    case .library(let function, _): return [function]
    case .activity(let rule): return [rule.holder, rule.id]
    }
  }
}
