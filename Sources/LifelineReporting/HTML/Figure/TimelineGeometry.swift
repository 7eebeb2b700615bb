/// The phases of one object's life, as positions in a figure.
struct TimelineGeometry {
  /// Alive from here.
  let born: Int
  /// The last owner released it here and only transient holds kept it: late from here until the final release.
  let late: Int?
  /// The final release, or the beginning of the deallocation if only that was seen.
  let finalRelease: Int?
  /// Freed memory from here on: using it now is a use after free.
  let freed: Int?
  let end: Int
  /// "freed at event 35", for the heading and for users who cannot see the figure.
  let summary: String

  /// `letGo` are the events at which, according to a finding, a last owner released this object or another.
  init(_ timeline: Report.ObjectTimeline, _ scale: FigureScale, letGo: [UInt64] = []) {
    func first(_ kinds: String...) -> Report.ObjectTimeline.Event? { timeline.events.first { kinds.contains($0.kind) } }
    end = scale.end
    born = first("allocate").map { scale.position($0.event) } ?? 0
    let final = timeline.events.last { $0.isFinalRelease } ?? first("deallocate")
    let free = first("free") ?? first("deallocate")
    finalRelease = final.map { scale.position($0.event) }
    freed = free.map { scale.position($0.event) }
    // A late object that lives still when the program is stopped has no final release.
    let end = final?.event ?? (timeline.verdict == "late" ? .max : nil)
    let known = timeline.events.first { event in letGo.contains(event.event) && event.event < (end ?? 0) }
    late = (known?.event ?? Self.letGo(timeline.holds, before: end)).map(scale.position)
    let accesses = timeline.events.filter { Self.isFault($0.kind) }.count
    var summary = free.map { "freed at event \($0.event)" } ?? "live at the end"
    if free != nil, accesses > 0 {
      summary += ", used \(accesses == 1 ? "once" : Quantity.count(accesses, "time")) after that"
    }
    self.summary = summary
  }

  /// The last owner's release, if a transient hold lasted longer. Holds within one function are ignored, unless there
  /// are only such holds.
  private static func letGo(_ holds: [Report.Hold], before final: UInt64?) -> UInt64? {
    let settled = holds.filter {
      !$0.isTransient && ($0.sort.map { $0 == "owner" } ?? ($0.isOpen || $0.endFunction != $0.function))
    }
    let owners = settled.isEmpty ? holds.filter { !$0.isTransient } : settled
    guard let final, !owners.isEmpty, !owners.contains(where: \.isOpen), let last = owners.map(\.toEvent).max(),
      last < final, holds.contains(where: { $0.isTransient && $0.fromEvent < last && $0.toEvent > last })
    else { return nil }
    return last
  }

  static func isFault(_ kind: String) -> Bool {
    ["useAfterFree", "overRelease", "resurrection", "unownedAfterDeinit"].contains(kind)
  }
}
