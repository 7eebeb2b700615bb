/// Something to be looked at when a test ends.
struct Check: Sendable {
  /// Whether waiting can change nothing any more: asked several times, so it must cost little.
  let isSettled: @Sendable () -> Bool
  /// What is wrong in the trace as it is at the end; nothing when all is well.
  let texts: @Sendable (Snapshot) -> [String]
}
