import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// What is known about the program's classes: superclasses, the types of properties, and numbers of objects.
///
/// Superclasses are needed for the same few classes for each hold, so they are looked up once.
final class ClassTable {
  private var superclasses: [String: String] = [:]
  private var allocated: [String: Int] = [:]
  private var lineages: [String: [String]] = [:]
  private var typeNamesByClass: [String: Set<String>] = [:]
  private var writtenDeinits: [String: Bool] = [:]
  private var referred: [String: Bool] = [:]
  private let properties: [String: [StoredProperty]]
  private let names: any CodeNaming
  /// Full names by name without module.
  private var fullNames: [String: [String]] = [:]
  /// The type arguments of generic classes that have objects.
  private let typeArguments: TypeMentions
  /// Those of them that keep what they are made for.
  private let keptArguments: TypeMentions
  /// Of variables, and of stored properties of structs and enums.
  private let variableTypes: TypeMentions
  private let contexts: Set<String>
  private let recorded: Set<String>
  /// Without module.
  let referringValues: Set<String>

  init(_ tables: TraceTables, _ totals: [ClassTotals], names: any CodeNaming) {
    let byMetadata = Dictionary(
      tables.classes.values.map { ($0.metadata, $0.name) }, uniquingKeysWith: { first, _ in first })
    superclasses = names.superclasses
    for record in tables.classes.values {
      if let known = byMetadata[record.superclass] { superclasses[record.name] = known }
    }
    for total in totals { allocated[total.name] = total.allocated }
    self.names = names
    recorded = Set(tables.classes.values.map(\.name))
    contexts = Set(tables.classes.values.filter { $0.sort == .closure || $0.sort == .box }.map(\.name))
    typeArguments = TypeMentions {
      tables.classes.values.compactMap { record in
        record.name.firstIndex(of: "<").map { String(record.name[$0...]) }
      }
    }
    let parents = superclasses
    keptArguments = TypeMentions {
      tables.classes.values.compactMap { record in
        record.name.firstIndex(of: "<").flatMap { list in
          Self.keepsArguments(record.name, names.storedProperties, parents) ? String(record.name[list...]) : nil
        }
      }
    }
    variableTypes = TypeMentions { names.variableTypes }
    properties = names.storedProperties
    referringValues = Set(names.referringValues.keys.map { ObjectID(className: $0, number: 1).shortClassName })
    // Functions and reflection metadata name a generic class without its arguments, objects with them.
    let instances = Dictionary(grouping: Set(tables.classes.values.map(\.name)), by: \.withoutTypeArguments)
    for name in Set(properties.keys).union(instances.keys).sorted() {
      let known = instances[name] ?? []
      let full = known.count == 1 ? known[0] : name
      fullNames[ObjectID(className: name, number: 1).shortClassName, default: []].append(full)
    }
  }

  /// Whether a generic class may own objects of the types that it is made for: a list of weak references does not.
  private static func keepsArguments(
    _ name: String, _ properties: [String: [StoredProperty]], _ superclasses: [String: String]
  ) -> Bool {
    var next: String? = name
    for _ in 0..<64 {
      guard let current = next else { return false }
      guard let list = properties[current] ?? properties[current.withoutTypeArguments] else { return true }
      let keeps = list.contains { property in
        property.strength == .unmanaged || property.isPointer || property.isFunction
          || property.strength == .strong && (property.isParameter || property.isExistential)
      }
      if keeps { return true }
      next = superclasses[current] ?? superclasses[current.withoutTypeArguments]
    }
    return true
  }

  /// A class and its superclasses, the nearest first.
  func lineage(_ name: String) -> [String] {
    if let known = lineages[name] { return known }
    var result = [name]
    while let next = superclasses[result.last!] ?? superclasses[result.last!.withoutTypeArguments],
      result.count < 64
    {
      result.append(next)
    }
    lineages[name] = result
    return result
  }

  /// The stored properties of a class itself.
  func stored(_ className: String) -> [StoredProperty]? {
    properties[className] ?? properties[className.withoutTypeArguments]
  }

  /// A class and its superclasses, as named in the types of properties.
  private func typeNames(_ className: String) -> Set<String> {
    if let known = typeNamesByClass[className] { return known }
    let names: Set<String> = lineage(className).reduce(into: []) { $0.formUnion([$1, $1.withoutTypeArguments]) }
    typeNamesByClass[className] = names
    return names
  }

  /// The same as named in functions' short names, without the module.
  func shortLineage(_ name: String) -> Set<String> {
    Set(typeNames(name).map { ObjectID(className: $0, number: 1).shortClassName })
  }

  /// Full names of the classes that a function's short name may refer to.
  func classes(named shortName: String) -> [String] { fullNames[shortName] ?? [] }

  /// The object of a class that had only one.
  func onlyObject(of className: String) -> ObjectID? {
    allocated[className] == 1 ? ObjectID(className: className, number: 1) : nil
  }

  /// Whether a function's type is a struct or enum that refers to an object without keeping it.
  func isReferringValue(_ shortName: String) -> Bool { referringValues.contains(shortName) }

  /// Whether the name is that of closure contexts, or of boxes of captured variables.
  func isContext(_ className: String) -> Bool { contexts.contains(className) }

  /// Whether a class has a handwritten deinit, or inherits one.
  func hasWrittenDeinit(_ className: String) -> Bool {
    if let known = writtenDeinits[className] { return known }
    let isWritten = lineage(className).contains(where: writesDeinit)
    writtenDeinits[className] = isWritten
    return isWritten
  }

  /// Whether a class itself has a handwritten deinit that may end more than its own object: it calls a method of its
  /// own class or of one of some others, or one that is not known before it runs.
  func mayEnd(_ others: Set<String>, inDeinitOf className: String) -> Bool {
    guard let calls = names.callsInDeinit(of: className.withoutTypeArguments) else { return false }
    let known = ([className] + others).flatMap(shortLineage).map(\.withoutTypeArguments)
    return calls.isIndirect || !calls.types.isDisjoint(with: known)
  }

  /// Whether a class itself has a handwritten deinit.
  func writesDeinit(_ className: String) -> Bool { names.isDeinitWritten(className.withoutTypeArguments) == true }

  func hasObjects(_ className: String) -> Bool { allocated[className] ?? 0 > 0 }

  /// Whether a class is known, and neither it nor its superclasses store a property of that name.
  func isComputed(_ property: String, of className: String) -> Bool {
    guard stored(className) != nil else { return false }
    return !lineage(className).contains { (stored($0) ?? []).contains { Self.isStorage($0.name, of: property) } }
  }

  /// Whether a class stores the property, and its type shows that it holds no object of `target`.
  func cannotHold(_ target: String, _ property: String, of className: String) -> Bool {
    let found = lineage(className).flatMap { stored($0) ?? [] }.filter { Self.isStorage($0.name, of: property) }
    return !found.isEmpty && found.allSatisfy { $0.excludes(typeNames(target), isGeneric: className.contains("<")) }
  }

  /// A wrapped property is stored under its own name.
  private static func isStorage(_ name: String, of property: String) -> Bool {
    name == property || name == "_\(property)"
  }

  /// Whether a class stores a property under that name.
  func stores(_ property: String, in className: String) -> Bool {
    lineage(className).contains { (stored($0) ?? []).contains { $0.name == property } }
  }

  /// Whether the compiler declares the property: an actor's queue of tasks, a distributed actor's identity and system.
  func isSynthesized(_ property: String, of className: String) -> Bool {
    if property.hasPrefix("$defaultActor") { return true }
    let synthesized = ["id", "actorSystem"]
    return synthesized.contains(property) && synthesized.allSatisfy { stores($0, in: className) }
      && names.mayConform(className.withoutTypeArguments, to: ["$s11Distributed0A5ActorMp"])
  }

  /// Whether a class has a property that may be a manually counted reference.
  func countsByHand(_ className: String) -> Bool {
    lineage(className).contains { (stored($0) ?? []).contains { $0.isPointer || $0.strength == .unmanaged } }
  }

  /// Whether a class keeps closures, and so their captures.
  func keepsClosures(_ className: String) -> Bool {
    lineage(className).contains { (stored($0) ?? []).contains(where: \.isFunction) }
  }

  /// Whether a class has a property of a type that is not known to refer to a class: a struct, a closure, a generic
  /// parameter, but not a number or a string.
  func keepsUnknown(_ className: String) -> Bool {
    lineage(className).contains {
      (stored($0) ?? []).contains {
        $0.strength == .strong && !$0.isPlain
          && ($0.isExistential || $0.typeNames.allSatisfy { stored($0) == nil })
      }
    }
  }

  /// The class that declares a property stored in an object of `className`; nil if unknown. A part of a struct,
  /// "state.parent", belongs to the property.
  func declarer(of property: String, in className: String) -> String? {
    let name = property.prefix { $0 != "." }
    return lineage(className).first { (stored($0) ?? []).contains { $0.name == name } }
  }

  /// Whether a library's class declares the property, since everything that the program's own classes declare is known.
  func isInherited(_ property: String, by className: String) -> Bool {
    stored(className) != nil && declarer(of: property, in: className) == nil
  }

  /// Whether a class's property refers to an object without keeping it, so that it does not hold a setter's new value.
  func isWeak(_ property: String, of typeName: String) -> Bool {
    classes(named: typeName).contains {
      (stored($0) ?? []).contains { $0.name == property && $0.strength != .strong }
    }
  }

  /// A class's own and inherited properties that can refer to an object of `target`.
  func properties(of className: String, referringTo target: String, _ strengths: Set<StoredProperty.Strength>) -> [(
    className: String, property: StoredProperty
  )] {
    let wanted = typeNames(target)
    return lineage(className).flatMap { owner in
      (stored(owner) ?? []).filter {
        guard strengths.contains($0.strength) else { return false }
        return !wanted.isDisjoint(with: $0.typeNames) || $0.isParameter && isArgument(target, of: owner)
          || $0.isExistential && names.mayConform(target.withoutTypeArguments, to: $0.protocols)
      }
      .map { (owner, $0) }
    }
  }

  /// Whether objects of `whole` have such of `part` by their strong properties, perhaps in another part. What is
  /// declared as `AnyObject` or a generic parameter could be anything.
  func isPart(_ part: String, of whole: String) -> Bool {
    var seen: Set<String> = []
    var wholes: Set<String> = [whole]
    for _ in 0..<3 {
      seen.formUnion(wholes)
      let isDirect = wholes.contains { name in
        properties(of: name, referringTo: part, [.strong]).contains {
          (!$0.property.isExistential || !$0.property.protocols.isEmpty) && !$0.property.isParameter
        }
      }
      if isDirect { return true }
      wholes = wholes.reduce(into: []) { parts, name in
        for owner in lineage(name) {
          for property in stored(owner) ?? [] where property.strength == .strong {
            parts.formUnion(property.typeNames.filter { stored($0) != nil && !seen.contains($0) })
          }
        }
      }
    }
    return false
  }

  /// The classes of a class's strong properties that can refer to an object of `target` without owning it and have no
  /// other reference to one: an inlined accessor of theirs makes such a reference look like the class's own.
  func neighbors(of className: String, referringTo target: String) -> [String] {
    let found = lineage(className).flatMap { stored($0) ?? [] }.filter { $0.strength == .strong }.flatMap(\.typeNames)
    return Set(found).sorted().filter { name in
      stored(name) != nil && !isPart(name, of: target) && !lineage(target).contains(name)
        && !properties(of: name, referringTo: target, [.unowned, .unownedUnsafe, .unmanaged]).isEmpty
        && properties(of: name, referringTo: target, [.strong, .weak]).allSatisfy(\.property.isExistential)
    }
  }

  /// Whether an object to which one of a class refers can hold one of `target`, so that methods of the class may have
  /// stored it there.
  func reachesHolder(_ className: String, of target: String) -> Bool {
    let own = lineage(className)
    return own.contains { owner in
      (stored(owner) ?? []).contains { property in
        property.typeNames.contains { name in
          stored(name) != nil && !own.contains(name) && !properties(of: name, referringTo: target, [.strong]).isEmpty
        }
      }
    }
  }

  /// The recorded classes with a property that can refer to objects of one of the classes and neither counts the
  /// reference nor notices that they are gone.
  func users(of targets: Set<String>) -> Set<String> {
    let strengths: Set<StoredProperty.Strength> = [.unownedUnsafe, .unmanaged]
    return recorded.filter { name in
      lineage(name).contains { (stored($0) ?? []).contains { strengths.contains($0.strength) } }
        && targets.contains { !properties(of: name, referringTo: $0, strengths).isEmpty }
    }
  }

  /// Whether some property can refer to objects of `target` without owning them; one of type `AnyObject`, which can
  /// refer to all, does not count.
  func isReferredTo(_ target: String) -> Bool {
    if let known = referred[target] { return known }
    let wanted = typeNames(target)
    let isReferred = references.contains { property in
      !wanted.isDisjoint(with: property.typeNames)
        || property.isParameter
          && (typeArguments.contain(wanted) || !names.superclassArguments.isDisjoint(with: wanted))
        || property.isExistential && !property.protocols.isEmpty && !isContext(target)
          && names.mayConform(target.withoutTypeArguments, to: property.protocols)
    }
    referred[target] = isReferred
    return isReferred
  }

  /// The only property in the whole program, or in the structs and enums that a function may name `value`, that can
  /// refer to an object of `target` without owning it, and its type's full name.
  func onlyReference(to target: String, in value: String? = nil) -> (typeName: String, property: StoredProperty)? {
    let found = uncounted(to: target, in: value)
    return found.count == 1 ? found[0] : nil
  }

  /// Whether a property, even one of a struct in a variable, or of type `AnyObject`, can do so.
  func isReferredToAtAll(_ target: String) -> Bool { !uncounted(to: target).isEmpty }

  private func uncounted(to target: String, in value: String? = nil) -> [(typeName: String, property: StoredProperty)] {
    // What a struct in a property refers to is listed as the struct's own.
    let own = value == nil ? properties.mapValues { $0.filter { !$0.name.contains(".") } } : [:]
    let ofValues = names.referringValues.filter { type, _ in
      value == nil || ObjectID(className: type, number: 1).shortClassName == value
    }
    return own.merging(ofValues, uniquingKeysWith: +).flatMap { owner, list in
      list.filter { $0.strength.isUncounted && mayRefer($0, to: target) }.map { (owner, $0) }
    }
  }

  private func mayRefer(_ property: StoredProperty, to target: String) -> Bool {
    property.isParameter || !typeNames(target).isDisjoint(with: property.typeNames)
      || property.isExistential && names.mayConform(target.withoutTypeArguments, to: property.protocols)
  }

  private lazy var references = properties.values.joined().filter(\.strength.isUncounted)

  /// How closures of the program capture objects of `target` without counting the reference.
  func uncountedCaptures(of target: String) -> Set<StoredProperty.Strength> {
    let wanted = typeNames(target)
    return Set(names.uncountedCaptures.filter { !wanted.isDisjoint(with: $0.typeNames) }.map(\.strength))
  }

  /// Whether a global or static variable, a struct or an enum of the program can hold an object of `target`, or of a
  /// generic class that keeps what it is made for.
  func isStoredElsewhere(_ target: String) -> Bool {
    let wanted = typeNames(target)
    return keptArguments.contain(wanted) || variableTypes.contain(wanted)
  }

  /// Whether objects of `target` are a type argument of a generic class; for a class named without its arguments, of
  /// any instance.
  private func isArgument(_ target: String, of className: String) -> Bool {
    let wanted = typeNames(target)
    guard let list = className.firstIndex(of: "<") else { return true }
    return TypeMentions.isMentioned(wanted, in: className[list...])
  }

  /// Whether a class's property is the only place in the whole program declared to hold an object of `target`.
  func isOnlyPlace(_ property: String, of className: String, for target: String) -> Bool {
    var count = 0
    let target = target.withoutTypeArguments
    for list in properties.values { count += list.count { $0.strength == .strong && $0.typeNames.contains(target) } }
    return count == 1
      && lineage(className).contains {
        (stored($0) ?? []).contains { $0.name == property && $0.typeNames.contains(target) }
      }
      && !isStoredElsewhere(target) && !countsByHand(className) && !keepsClosures(className)
  }

  /// Whether no other property, variable, struct or enum of the program can hold an object of `target`, even through a
  /// superclass or a protocol, and nothing counts manually.
  func isOnlyHolder(_ property: String, of className: String, for target: String) -> Bool {
    guard stores(property, in: className), !isStoredElsewhere(target) else { return false }
    return properties.keys.allSatisfy { owner in
      let found = properties(of: owner, referringTo: target, [.strong, .unmanaged]).filter { $0.className == owner }
      return found.allSatisfy { $0.property.name == property && lineage(className).contains(owner) }
    }
  }

  /// The only strong property in the whole program that can hold an object of `target`, if there is exactly one.
  func onlyProperty(holding target: String) -> (className: String, property: StoredProperty)? {
    let wanted = typeNames(target)
    if keptArguments.contain(wanted) { return nil }
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
