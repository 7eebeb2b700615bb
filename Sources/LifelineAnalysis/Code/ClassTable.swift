import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// What is known of the program's classes: who is whose superclass, what their properties hold, how many objects there
/// were.
struct ClassTable {
  private var superclasses: [String: String] = [:]
  private var allocated: [String: Int] = [:]
  private let properties: [String: [StoredProperty]]
  private let names: any CodeNaming
  /// Full names by name without module.
  private var fullNames: [String: [String]] = [:]

  init(_ tables: TraceTables, _ totals: [ClassTotals], names: any CodeNaming) {
    let byMetadata = Dictionary(
      tables.classes.values.map { ($0.metadata, $0.name) }, uniquingKeysWith: { first, _ in first })
    superclasses = names.superclasses
    for record in tables.classes.values {
      if let known = byMetadata[record.superclass] { superclasses[record.name] = known }
    }
    for total in totals { allocated[total.name] = total.allocated }
    self.names = names
    properties = names.storedProperties
    for name in Set(properties.keys).union(tables.classes.values.map(\.name)).sorted() {
      fullNames[ObjectID(className: name, number: 1).shortClassName, default: []].append(name)
    }
  }

  /// A class and its superclasses, the nearest first.
  func lineage(_ name: String) -> [String] {
    var result = [name]
    while let next = superclasses[result.last!], result.count < 64 { result.append(next) }
    return result
  }

  /// The same as functions' short names call them, without the module.
  func shortLineage(_ name: String) -> Set<String> {
    Set(lineage(name).map { ObjectID(className: $0, number: 1).shortClassName })
  }

  /// Full names of the classes that a function's short name may mean.
  func classes(named shortName: String) -> [String] { fullNames[shortName] ?? [] }

  /// The object of a class, when there was only one.
  func onlyObject(of className: String) -> ObjectID? {
    allocated[className] == 1 ? ObjectID(className: className, number: 1) : nil
  }

  func hasObjects(_ className: String) -> Bool { allocated[className] ?? 0 > 0 }

  /// Whether a class is known, and a property of that name is not among those that it or its superclasses store.
  func isComputed(_ property: String, of className: String) -> Bool {
    guard properties[className] != nil else { return false }
    return !lineage(className).contains { (properties[$0] ?? []).contains { Self.isStorage($0.name, of: property) } }
  }

  /// A lazy property and one in a wrapper are stored under names of their own.
  private static func isStorage(_ name: String, of property: String) -> Bool {
    name == property || name == "_\(property)" || name == "$__lazy_storage_$_\(property)"
  }

  /// Whether a class has a property that may stand for a reference that is counted by hand.
  func countsByHand(_ className: String) -> Bool {
    lineage(className).contains { (properties[$0] ?? []).contains { $0.isPointer || $0.strength == .unmanaged } }
  }

  /// Whether a class keeps closures, and so what they captured.
  func keepsClosures(_ className: String) -> Bool {
    lineage(className).contains { (properties[$0] ?? []).contains(where: \.isFunction) }
  }

  /// Whether a class has a property of a type that is not known to refer to a class: a structure, a closure, a generic
  /// parameter.
  func keepsUnknown(_ className: String) -> Bool {
    lineage(className).contains {
      (properties[$0] ?? []).contains {
        $0.strength == .strong && ($0.isExistential || $0.typeNames.allSatisfy { properties[$0] == nil })
      }
    }
  }

  /// Whether a class's property refers to an object and does not keep it: a setter's new value is not held by it.
  func isWeak(_ property: String, of typeName: String) -> Bool {
    classes(named: typeName).contains {
      (properties[$0] ?? []).contains { $0.name == property && $0.strength != .strong }
    }
  }

  /// A class's own and inherited properties that can refer to an object of `target`.
  func properties(of className: String, referringTo target: String, _ strengths: Set<StoredProperty.Strength>) -> [(
    className: String, property: StoredProperty
  )] {
    let wanted = Set(lineage(target))
    return lineage(className).flatMap { owner in
      (properties[owner] ?? []).filter {
        strengths.contains($0.strength) && ($0.isExistential || !wanted.isDisjoint(with: $0.typeNames))
      }
      .map { (owner, $0) }
    }
  }

  /// Whether a global or static variable, a structure or an enumeration of the program can hold an object of `target`.
  func isStoredElsewhere(_ target: String) -> Bool {
    let wanted = lineage(target)
    return names.variableTypes.contains { type in
      wanted.contains { name in
        // A name ends where no further letter or digit follows: "App.Token" is not in "App.TokenRing".
        type.ranges(of: name).contains { range in
          guard range.upperBound < type.endIndex else { return true }
          return !type[range.upperBound].isLetter && !type[range.upperBound].isNumber
        }
      }
    }
  }

  /// Whether a class's property is the one place in the whole program that is declared to hold an object of `target`.
  func isOnlyPlace(_ property: String, of className: String, for target: String) -> Bool {
    var count = 0
    for list in properties.values { count += list.count { $0.strength == .strong && $0.typeNames.contains(target) } }
    return count == 1
      && lineage(className).contains {
        (properties[$0] ?? []).contains { $0.name == property && $0.typeNames.contains(target) }
      }
      && !isStoredElsewhere(target) && !countsByHand(className) && !keepsClosures(className)
  }

  /// The one strong property in the whole program that can hold an object of `target`, if there is just one.
  func onlyProperty(holding target: String) -> (className: String, property: StoredProperty)? {
    let wanted = Set(lineage(target))
    var found: (String, StoredProperty)?
    for (owner, list) in properties {
      for property in list where property.strength == .strong && !wanted.isDisjoint(with: property.typeNames) {
        if found != nil { return nil }
        found = (owner, property)
      }
    }
    return found
  }
}
