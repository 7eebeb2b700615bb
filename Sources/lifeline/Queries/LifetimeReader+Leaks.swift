import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

extension LifetimeReader {
  /// Reads lifetimes as the report shows them: the reference that a leak's finding calls left has no release, and the
  /// holder that the finding names.
  ///
  /// Reads the trace three times more if an object is alive at the end and several of its references may be the one
  /// that is left, or its holder is a guess, unless the `diagnosis` is known.
  ///
  /// - Throws: `TraceError` if the trace cannot be read, or has no event of any of the objects.
  static func asReported(
    _ trace: Trace, _ summary: LifetimeSummary, objects: Set<ObjectID>, names: Names, rules: HoldRules,
    diagnosis: Diagnosis? = nil
  ) throws -> LifetimeReader {
    let reading = try LifetimeReader(trace, summary, objects: objects, names: names, rules: rules)
    if let object = objects.min(by: { $0.number < $1.number }), reading.lifetimes.isEmpty {
      let kept = trace.recording.keep == nil ? "" : "; objects freed before the part that is kept (--keep) have none"
      throw TraceError("The trace has no event of \(object)\(kept).")
    }
    guard reading.lifetimes.contains(where: \.isLeftReferenceOpen) else { return reading }
    let diagnosis =
      try diagnosis ?? Diagnosis(trace, heap: HeapSnapshotReader(trace).snapshot(), names: names, rules: rules)
    guard !diagnosis.stores.keys.filter(objects.contains).isEmpty else { return reading }
    return try LifetimeReader(
      trace, summary, objects: objects, names: names, rules: rules, stores: diagnosis.stores)
  }
}

extension ObjectLifetime {
  /// Whether it is a guess who has a reference that is left, or which one that is: another reference of equal rank was
  /// released.
  fileprivate var isLeftReferenceOpen: Bool {
    guard case .never = timing else { return false }
    if holds.contains(where: { $0.to == nil && ($0.confidence == .perhaps || $0.holder == .reference) }) { return true }
    return pairing.pairs.contains { $0.confidence == .likely } && !pairing.unpairedRetains.isEmpty
      || !pairing.pairs.isEmpty && pairing.unpairedRetains.contains { history.rows[$0].event.kind == .allocate }
  }
}
