import LifelineLifetimes

/// Who held an object from a retain to the release that balanced it.
public enum Holder: Hashable, Sendable {
  /// A stored property of a class; `property` is nil if it is unknown which, `instance` if it is unknown whose.
  case property(className: String, property: String?, instance: ObjectID?)
  /// A stored reference somewhere: the code that retained it has returned, and other code released it.
  case reference
  /// A closure that captured it.
  case closure
  /// A running function, while it runs.
  case function(String)
  /// A function of a library that no rule matches.
  case library(String, image: String)
  /// A framework, named by a hold rule: transient, unless the rule declares it an owner.
  case activity(HoldRule)

  public var isTransient: Bool { if case .activity(let rule) = self { rule.scope != .owner } else { false } }

  /// Whether the hold is meant to last, so that the object's life should depend on it.
  public var isOwner: Bool {
    switch self {
    case .property, .reference, .closure, .library: true
    case .activity(let rule): rule.scope == .owner
    case .function: false
    }
  }

  /// Whether it is a variable or property of the program's own.
  public var isStored: Bool {
    switch self {
    case .property, .reference: true
    default: false
    }
  }

  /// Whether both are one property, perhaps of different objects.
  public func isSameProperty(as other: Holder) -> Bool {
    guard case .property(let own, let name?, _) = self, case .property(let others, let theirs?, _) = other else {
      return false
    }
    return own == others && name == theirs
  }

  public static func == (a: Self, b: Self) -> Bool { a.key == b.key }
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  private var key: String {
    switch self {
    case .property(let className, let property, let instance):
      "p\(className).\(property ?? "")#\(instance?.description ?? "")"
    case .reference: "r"
    case .closure: "c"
    case .function(let name): "f\(name)"
    case .library(let name, let image): "l\(name)\(image)"
    case .activity(let rule): "a\(rule.id)"
    }
  }
}
