extension Trace {
  /// Names of the classes of which births and deaths alone were recorded, though the recording is of depth full; sorted.
  public var classesWithoutRetains: [String] { Set(tables.classes.values.filter { !$0.isCounted }.map(\.name)).sorted() }

  /// The first class for which `isMeant` holds and whose retains and releases were not recorded, at whatever depth.
  public func classWithoutRetains(where isMeant: (String) -> Bool) -> String? {
    let classes = tables.classes.values.filter { recording.depth == .lives || !$0.isCounted }
    return classes.map(\.name).filter(isMeant).min()
  }
}
