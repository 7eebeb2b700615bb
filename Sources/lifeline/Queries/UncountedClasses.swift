import LifelineTrace

/// Classes with only allocations and frees recorded: a retain count of 0 would be misleading for them.
struct UncountedClasses {
  /// Nil if all retains and releases were recorded.
  let sentence: String?

  init(_ trace: Trace) {
    let names = trace.classesWithoutRetains
    let more = names.count > 3 ? " and \(names.count - 3) more classes" : ""
    sentence =
      trace.recording.depth == .lives
      ? "Recorded at depth lives: retains and releases were not recorded and count as 0 here."
      : names.isEmpty
        ? nil
        : "Retains and releases of \(names.prefix(3).joined(separator: ", "))\(more) were not recorded (--retains) "
          + "and count as 0 here."
  }
}
