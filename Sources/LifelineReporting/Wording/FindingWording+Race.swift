import LifelineAnalysis

/// What several threads may have done to a reference.
extension FindingWording {
  /// What to do if one thread used the reference while another one changed it, which an owner's methods may do.
  var race: String { finding.isByOwner && finding.handReleases.isEmpty && isByTwoThreads ? Self.locking : "" }

  /// Whether another thread used the object than the one that let go of it.
  var isByTwoThreads: Bool {
    guard let user = finding.place(.access)?.event.thread,
      let end = finding.place(.finalRelease) ?? finding.place(.deallocation)
    else { return false }
    return end.event.thread != user
  }

  /// Whether another thread than the user may have replaced the reference: a method let go of what was stored, and
  /// nothing else explains the use.
  var isPerhapsReplaced: Bool {
    guard finding.kind == .useAfterFree, isByTwoThreads, finding.possibleReference == nil, finding.capturer == nil,
      let final = backtrace(.finalRelease), let function = final.responsible?.function
    else { return false }
    let held = finding.lifetime?.holds.first { $0.to == final.event }
    return held?.holder.isStored != false && !function.hasSuffix("deinit") && !function.hasPrefix("closure #")
  }

  static let locking =
    "If one thread replaced the reference while another used it, protect it with a lock, an actor or a serial queue. "
}
