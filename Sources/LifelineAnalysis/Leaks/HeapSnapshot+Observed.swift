import LifelineHeap

extension HeapSnapshot {
  /// The snapshot with the properties of @Observable classes under their names in the source.
  ///
  /// The macro stores `parent` as `_parent`. `observed` has such properties, "App.Folder.parent", and `superclasses`
  /// full names of classes.
  public func namingObserved(_ observed: Set<String>, superclasses: [String: String]) -> HeapSnapshot {
    guard refusal == nil, !observed.isEmpty else { return self }
    let graph = graph.renamingFields { type, stored in
      guard type.kind == .object, type.isOwn, stored.hasPrefix("_") else { return stored }
      let name = stored.dropFirst()
      let property = name.prefix { $0 != "." }
      var owner: String? = type.name.withoutTypeArguments
      // In a damaged image a class may be its own superclass.
      for _ in 0..<64 {
        guard let current = owner else { break }
        if observed.contains("\(current).\(property)") { return String(name) }
        owner = superclasses[current]
      }
      return stored
    }
    return HeapSnapshot(process: process, graph: graph, notes: notes)
  }
}
