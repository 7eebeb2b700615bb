/// Something to be looked at when a test ends.
struct Check: Sendable {
  /// Whether there is nothing to look at: asked several times, so it must cost little.
  let isSatisfied: @Sendable () -> Bool
  /// What is wrong, once for the trace as it is at the end.
  let texts: @Sendable (Snapshot) -> [String]
}
