import Lifeline
import LifelineTrace

/// How many events the recorder writes for an operation, counted in its own trace.
struct EventCount {
  let plain: Double
  let tracked: Double

  /// By the name of the pair; to be called when nothing else has been recorded yet.
  static func perOperation(_ nodes: [Node]) throws -> [String: EventCount] {
    let operations = 1000
    for pair in ReferencePair.all {
      let owner = Owner(nodes[0])
      for loop in [pair.plain, pair.tracked] {
        Timeline.mark("begin")
        loop(owner, nodes, operations)
        Timeline.mark("end")
      }
    }
    let trace = try Timeline.unrecorded { try Trace(path: Timeline.tracePath!) }
    let reader = trace.events()
    var event = Event()
    var counts: [Double] = []
    var begin: UInt64?
    while counts.count < 2 * ReferencePair.all.count, try Timeline.unrecorded({ try reader.next(&event) }) {
      guard event.kind == .mark else { continue }
      if let first = begin {
        counts.append((Double(event.sequence - first - 1) / Double(operations)).rounded())
        begin = nil
      } else {
        begin = event.sequence
      }
    }
    return Dictionary(
      uniqueKeysWithValues: ReferencePair.all.enumerated().map { index, pair in
        (pair.name, EventCount(plain: counts[2 * index], tracked: counts[2 * index + 1]))
      })
  }
}
