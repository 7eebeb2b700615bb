/// What a recording without retains cannot tell.
extension FindingWording {
  /// Without retains the deinit looks like what another thread does that takes the object meanwhile.
  var isUnseenEscape: Bool {
    finding.kind == .resurrection && causes.context.recording.depth == .lives
  }

  /// Without retains an over-release looks like the second half of a use by another thread.
  var unseenRace: [String] {
    if isUnseenEscape {
      return [
        "Retains are not recorded at depth lives: the deinit stored self or passed it on, or another thread took the "
          + "object while it ran."
      ]
    }
    guard finding.kind == .overRelease, causes.context.recording.depth == .lives,
      let access = backtrace(.access), let end = backtrace(.deallocation), access.thread != end.thread
    else { return [] }
    return [
      "Retains are not recorded at depth lives: \(CauseWording.noun(access.thread)) may instead have taken the object "
        + "while \(CauseWording.noun(end.thread)) freed it."
    ]
  }
}
