import LifelineLifetimes

extension HolderInspector {
  /// The function around an inlined one that took a reference, if it released that itself: by then the inlined one had
  /// returned or stored it.
  ///
  /// All of the code is one call, so the pair is sure, but not who had the reference.
  func outliving(_ retain: HistoryRow, _ release: HistoryRow) -> Claim? {
    let before = sites.site(retain.backtrace)
    guard before.library == nil, let taker = before.function, sites.isOptimized(retain.backtrace) == true else {
      return nil
    }
    func own(_ row: HistoryRow) -> [FrameFacts] {
      sites.facts(row.backtrace).lazy.map { $0.filter { !$0.isLibrary && $0.isMeaningful } }.first { !$0.isEmpty } ?? []
    }
    let released = own(release)
    guard !released.contains(where: { taker.isSameFunction(as: $0.frame) }) else { return nil }
    let around = own(retain).drop { !taker.isSameFunction(as: $0.frame) }.dropFirst()
    let user = around.first { outer in released.contains { outer.frame.isSameFunction(as: $0.frame) } }
    return user.map { Claim(.function($0.frame.function), .perhaps) }
  }
}
