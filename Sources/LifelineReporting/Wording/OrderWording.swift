import LifelineAnalysis
import LifelineLifetimes

/// Describes how certain the order of an object's events on different threads is.
struct OrderWording {
  let context: ReportContext

  /// Doubts that are listed one by one.
  private static let limit = 5

  /// Empty for an object of one thread; otherwise whether the count proves the order, and the places where it does not.
  func sentences(_ lifetime: ObjectLifetime) -> [String] {
    let proof = lifetime.order
    guard proof.threads > 1 else { return [] }
    let threads = Quantity.count(proof.threads, "thread")
    let gaps =
      lifetime.gaps == 0
      ? []
      : [
        "No order of these threads' events explains every count: "
          + "\(Quantity.count(lifetime.gaps, "event")) do not fit. Events are missing, or a thread was interrupted for "
          + "longer than the reader looks ahead."
      ]
    guard !proof.doubts.isEmpty else {
      return gaps.isEmpty ? ["The count proves the order of its events on \(threads)."] : gaps
    }
    let shown = proof.doubts.prefix(Self.limit).map { doubt($0, lifetime.history.rows) }
    let rest = proof.doubts.count - shown.count
    return gaps + [
      "The count proves the order of its events on \(threads), "
        + "except for \(Quantity.count(proof.doubts.count, "place")) where both orders fit:"
    ] + shown + (rest > 0 ? ["and \(Quantity.number(rest)) more"] : [])
  }

  private func doubt(_ doubt: OrderProof.Doubt, _ rows: [HistoryRow]) -> String {
    let last = context.recording.nanoseconds(at: rows[doubt.earlier.upperBound].event.clock)
    let next = context.recording.nanoseconds(at: rows[doubt.later.lowerBound].event.clock)
    let clocks = next > last ? "the clocks say the former, by \(Quantity.duration(next - last))" : "nor do the clocks"
    return
      "The count does not prove whether \(run(doubt.earlier, rows)) or \(run(doubt.later, rows)) came first; \(clocks)."
  }

  private func run(_ run: ClosedRange<Int>, _ rows: [HistoryRow]) -> String {
    let first = rows[run.lowerBound].event
    let last = rows[run.upperBound].event
    let threads = Set(rows[run].map(\.event.thread)).count
    let who = threads == 1 ? context.names.name(thread: first.thread) : Quantity.count(threads, "thread")
    return run.count == 1 ? "event \(first.sequence) (\(who))" : "events \(first.sequence) to \(last.sequence) (\(who))"
  }
}
