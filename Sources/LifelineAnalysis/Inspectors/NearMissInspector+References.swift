import LifelineLifetimes
import LifelineSymbolication

/// Which references code may have used, and which objects a function may have been passed.
extension NearMissInspector {
  /// The classes whose references a method may have used: its own class, or if that has none, those of its properties,
  /// whose accessors may have been inlined.
  func referrers(_ typeName: String, _ id: ObjectID) -> [String] {
    guard let className = classes.classes(named: typeName).first else { return [] }
    if !classes.properties(of: className, referringTo: id.className, Self.uncounted).isEmpty { return [className] }
    return classes.reachesHolder(className, of: id.className)
      ? [] : classes.neighbors(of: className, referringTo: id.className)
  }

  /// The types of the objects whose reference code may have used, without their modules.
  func userTypes(_ row: HistoryRow, _ id: ObjectID) -> [String] {
    guard let typeName = ReferenceUser(row.backtrace, sites, classes)?.name.typeName else { return [] }
    let referrers = referrers(typeName, id)
    return referrers.isEmpty ? [typeName] : referrers.map { ObjectID(className: $0, number: 1).shortClassName }
  }

  func references(_ row: HistoryRow, _ id: ObjectID) -> [StoredProperty] {
    guard let typeName = ReferenceUser(row.backtrace, sites, classes)?.name.typeName else { return [] }
    return referrers(typeName, id).flatMap {
      classes.properties(of: $0, referringTo: id.className, Self.uncounted).map(\.property)
    }
  }

  static let uncounted: Set<StoredProperty.Strength> = [.unowned, .unownedUnsafe, .unmanaged]

  /// Whether a function may have been passed the object, as an argument or within one.
  func mayTake(_ function: CodeFrame, _ id: ObjectID) -> Bool {
    let names = parts(classes.shortLineage(id.className))
    let scan = ParameterScan(function.mangledName, function: function.function, classes: names) { name in
      // It is unknown what an unknown class refers to.
      let known = classes.classes(named: name)
      return known.isEmpty
        || known.contains { !classes.properties(of: $0, referringTo: id.className, [.strong, .weak]).isEmpty }
    }
    return scan.mayTake
  }

  /// Whether a function may have been passed an object of certain types itself.
  func mayTake(_ function: CodeFrame, _ types: Set<String>) -> Bool {
    ParameterScan(function.mangledName, function: function.function, classes: parts(types)) { _ in false }.mayTake
  }

  /// The words of short names, as they are in mangled names.
  private func parts(_ names: Set<String>) -> Set<String> {
    Set(names.flatMap { $0.split(separator: ".").map(String.init) })
  }
}
