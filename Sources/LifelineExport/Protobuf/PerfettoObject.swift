import LifelineReporting

/// One object's tracks: its life, its holders, and its strong count.
struct PerfettoObject {
  private let timeline: Report.ObjectTimeline
  /// The time in nanoseconds at which open slices are drawn to end.
  private let end: UInt64

  init(_ timeline: Report.ObjectTimeline, end: UInt64) {
    self.timeline = timeline
    self.end = max(end, timeline.events.last?.time ?? 0)
  }

  func write(to packets: PerfettoPackets, in parent: UInt64, rank: Int) throws {
    guard let first = timeline.events.first else { return }
    let name = ExportName.clean(timeline.object.id)
    let track = try packets.track(in: parent) { track in
      track.name = name
      track.siblingOrderRank = Int32(clamping: rank)
      track.childOrdering = .explicit
    }
    let final = timeline.events.first(where: \.isFinalRelease)?.time
    let freed = max(final ?? 0, timeline.events.last { $0.kind == "free" }?.time ?? end)
    try packets.event(.sliceBegin, at: first.time, on: track) { event in
      event.name = name
      event.categories = ["object"]
      event.debugAnnotations = [
        PerfettoPackets.annotation("class", timeline.object.class),
        PerfettoPackets.annotation("died", timeline.verdict ?? "unknown"),
        PerfettoPackets.annotation("allocated by", place(first)),
      ]
    }
    if let final {
      let deallocated = timeline.events.last { $0.kind == "deallocate" }?.time ?? freed
      try packets.event(.sliceBegin, at: final, on: track) { $0.name = "deinit" }
      try packets.event(.sliceEnd, at: min(freed, max(final, deallocated)), on: track)
    }
    try packets.event(.sliceEnd, at: freed, on: track)
    try writeHolds(packets, track, freed)
    let counter = try packets.track(in: track) { track in
      track.name = "strong count"
      track.counter.unitName = "references"
    }
    for event in timeline.events {
      if let count = event.count { try packets.count(Int64(count), at: event.time, on: counter) }
    }
  }

  /// Holds overlap, but those in one lane do not.
  private func writeHolds(_ packets: PerfettoPackets, _ track: UInt64, _ freed: UInt64) throws {
    var lanes: [(end: UInt64, track: UInt64)] = []
    for hold in timeline.holds.sorted(by: { ($0.fromTime, $0.fromEvent) < ($1.fromTime, $1.fromEvent) }) {
      let until = hold.isOpen ? max(freed, hold.fromTime) : hold.fromTime &+ hold.duration
      let lane = lanes.firstIndex { $0.end <= hold.fromTime }
      let place =
        try lane
        ?? {
          let number = lanes.count + 1
          lanes.append(
            (
              0,
              try packets.track(in: track) {
                $0.name = "holders \(number)"; $0.siblingOrderRank = Int32(number)
              }
            ))
          return lanes.count - 1
        }()
      lanes[place].end = until
      try packets.event(.sliceBegin, at: hold.fromTime, on: lanes[place].track) { event in
        event.name = ExportName.clean(hold.holder)
        event.categories = ["hold", hold.sort ?? "call"]
        event.debugAnnotations = [
          PerfettoPackets.annotation("retained by", text(hold.function, hold.location)),
          PerfettoPackets.annotation(
            "released by", hold.isOpen ? "nothing recorded" : text(hold.endFunction ?? "", hold.endLocation)),
          PerfettoPackets.annotation("certainty", hold.confidence),
        ]
      }
      try packets.event(.sliceEnd, at: until, on: lanes[place].track)
    }
  }

  private func place(_ event: Report.ObjectTimeline.Event) -> String { text(event.function, event.location) }
  private func text(_ function: String, _ location: String?) -> String {
    location.map { "\(function) (\($0))" } ?? function
  }
}
