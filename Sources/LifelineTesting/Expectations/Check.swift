/// Something to be checked when a test ends.
struct Check: Sendable {
  /// Whether further waiting cannot change anything; called repeatedly, so it must be cheap.
  let isSettled: @Sendable () -> Bool
  /// What is wrong in the trace at the end; empty if nothing is.
  let texts: @Sendable (Snapshot) -> [String]
}
