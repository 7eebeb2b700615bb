extension Trace {
  /// The option that removed objects from a sample.
  public var sampleOption: String { tables.sampleChanges.isEmpty ? "--sample" : "--max-overhead" }

  /// Sorted names of the classes with only allocations and frees recorded in a recording of depth full.
  public var classesWithoutRetains: [String] {
    Set(tables.classes.values.filter { !$0.isCounted }.map(\.name)).sorted()
  }

  /// "Retains and releases of App.Job were not recorded…", for a class with only allocations and frees; nil for others.
  public func blindness(about className: String) -> String? {
    classWithoutRetains { $0 == className }.map {
      "Retains and releases of \($0) were not recorded, so its holders are unknown; "
        + "--depth full without --retains records them."
    }
  }

  /// The first class for which `isMeant` holds and whose retains and releases were not recorded, at any depth.
  public func classWithoutRetains(where isMeant: (String) -> Bool) -> String? {
    let classes = tables.classes.values.filter { recording.depth == .lives || !$0.isCounted }
    return classes.map(\.name).filter(isMeant).min()
  }
}
