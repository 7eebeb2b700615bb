import LifelineLifetimes

/// A module of an older recording that has another name in a newer one, as when each build is named after its commit:
/// `app_1.Session` and `app_2.Session` are one class.
public struct ModuleMatch: Sendable, Equatable {
  public let old: String
  public let new: String

  /// Nil unless each recording has exactly one module that the other lacks, and these two have a class in common.
  public init?(old: KindsOfLives, new: KindsOfLives) {
    let before = Self.classes(old), after = Self.classes(new)
    let gone = before.keys.filter { after[$0] == nil }, came = after.keys.filter { before[$0] == nil }
    guard gone.count == 1, came.count == 1, let from = gone.first, let to = came.first,
      before[from]?.isDisjoint(with: after[to] ?? []) == false
    else { return nil }
    self.old = String(from)
    self.new = String(to)
  }

  /// The older recording's objects with the newer module's class names.
  public func renamed(_ lives: [LifetimeSignature]) -> [LifetimeSignature] {
    var shapes: [ObjectIdentifier: LifetimeShape] = [:]
    return lives.map { life in
      var life = life
      let shape = life.shape
      let other =
        shapes[ObjectIdentifier(shape)]
        ?? LifetimeShape(
          className: renamed(shape.className), site: shape.site, retains: shape.retains, releases: shape.releases,
          finalRelease: shape.finalRelease)
      shapes[ObjectIdentifier(shape)] = other
      life.take(other)
      return life
    }
  }

  /// Replaces the module wherever it occurs, including in the arguments of a generic class. A module may have any
  /// characters but those that separate names: closures are named after their image, `app-1.(closure context)`.
  private func renamed(_ name: String) -> String {
    guard name.contains(old) else { return name }
    var result = ""
    var word = ""
    var isFirst = true
    for character in name {
      if !Self.separators.contains(character) {
        word.append(character)
        continue
      }
      result += character == "." && isFirst && word == old ? new : word
      isFirst = character != "."
      word = ""
      result.append(character)
    }
    return result + word
  }

  private static let separators: Set<Character> = [".", "<", ">", ",", " ", "(", ")", "[", "]", ":", "?"]

  /// Names without their module, by module.
  private static func classes(_ lives: KindsOfLives) -> [Substring: Set<Substring>] {
    var classes: [Substring: Set<Substring>] = [:]
    for name in Set(lives.kinds.map(\.className)) {
      let module = name.prefix { $0 != "." && $0 != "<" }
      guard module.endIndex < name.endIndex, name[module.endIndex] == "." else { continue }
      classes[module, default: []].insert(name[module.endIndex...])
    }
    return classes
  }
}
