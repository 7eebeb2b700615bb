/// Describes what an exploration tried and found.
struct ExplorationWording {
  private static let holdLimit = 8
  let exploration: Report.Exploration

  /// What was tried, and the results.
  var summary: [String] {
    let e = exploration
    var tried =
      "\(Quantity.count(e.runs, "run")) of \(Quantity.count(e.points, "point")) in "
      + "\(Quantity.duration(e.duration))"
    if e.stopped > 0 {
      tried +=
        "; \(Quantity.count(e.stopped, "run")) exceeded the limit and \(e.stopped == 1 ? "was" : "were") stopped"
    }
    let pairs =
      e.racingSites > 0
      ? [
        "Racing places tried in both orders: \(Quantity.number(e.reversedSites)) of "
          + "\(Quantity.number(e.racingSites))."
      ]
      // The run with a find may have seen what the first one, from which the places are known, did not.
      : e.foundInRun == nil ? ["No object was shared by threads."] : []
    guard let run = e.foundInRun else { return ["Tried: \(tried)."] + pairs }
    let found =
      "Found in run \(Quantity.number(run))" + (e.strategy.map { ", with \($0)" } ?? "") + ". Tried: \(tried)."
    return [found] + pairs + again
  }

  private var again: [String] {
    let e = exploration
    if let shown = e.byItself, let of = e.byItselfOf, shown > 0 {
      return [
        "It also happens without holds: in \(Quantity.number(shown)) of \(Quantity.count(of, "run"))."
      ]
    }
    let rate = e.shownAgain.flatMap { shown in
      e.shownAgainOf.map { (shown, $0, "in \(Quantity.number(shown)) of \(Quantity.count($0, "run"))") }
    }
    if let seed = e.seed {
      guard let (shown, of, text) = rate else { return ["To repeat it: --seed \(seed)."] }
      return [
        2 * shown < of
          ? "To repeat it, in less than half of the runs: --seed \(seed) (repeated \(text))."
          : "To repeat it: --seed \(seed) (repeated \(text))."
      ]
    }
    guard let (shown, _, text) = rate else { return [] }
    return [
      shown == 0
        ? "It could not be repeated (\(text)), so there is no seed."
        : "It was repeated \(text) with the same holds, which are too many for a seed."
    ]
  }

  /// The order that matters, one sentence for each hold.
  var schedule: [String] {
    var folded: [(hold: Report.Exploration.Hold, text: String, count: Int)] = []
    for hold in exploration.schedule {
      let text = begin(hold) + end(hold, time: nil)
      if let index = folded.firstIndex(where: { $0.text == text }) {
        folded[index].count += 1
        if let time = hold.microseconds {
          folded[index].hold.microseconds = max(folded[index].hold.microseconds ?? 0, time)
        }
      } else {
        folded.append((hold, text, 1))
      }
    }
    let rest = folded.dropFirst(Self.holdLimit).reduce(0) { $0 + $1.count }
    let sentences = folded.prefix(Self.holdLimit).map { hold, _, count in
      let time = hold.microseconds.map { (count > 1 ? "up to " : "") + Quantity.duration($0 * 1000) }
      return begin(hold) + end(hold, time: time) + (count > 1 ? " (\(Quantity.number(count)) times)." : ".")
    }
    return sentences + (rest > 0 ? ["And \(Quantity.count(rest, "hold")) more."] : [])
  }

  private func begin(_ hold: Report.Exploration.Hold) -> String {
    let what =
      switch hold.before {
      case "use": "before its use of \(hold.object?.id ?? "an object")"
      case "release": "before its release of \(hold.object?.id ?? "an object")"
      case "deinit": "before the deinit of \(hold.object?.id ?? "an object")"
      case "lock": "before it takes a lock"
      case "unlock": "after it releases a lock"
      case "wait": "after its wait"
      case "signal": "after it signals other threads"
      case "enqueue": "before it enqueues work"
      case "run": "before this starts"
      case "switch": "before its task continues there"
      default: "before an allocation"
      }
    return "\(hold.thread) is held in \(Self.place(hold.function, hold.location)) \(what)"
  }

  /// Why it continues; without its time, what similar holds have in common.
  private func end(_ hold: Report.Exploration.Hold, time: String?) -> String {
    if let end = hold.end {
      let what = hold.isFreed == true ? "frees it" : "releases its last owner's reference"
      return "; meanwhile \(end.thread) \(what) in \(Self.place(end.function, end.location))"
    }
    guard hold.microseconds != nil else { return ", until the run ended" }
    let other = hold.before.hasSuffix("lock") ? "has had it" : "arrives there"
    if hold.isOvertaken { return ", until another thread \(other)" }
    return ", for \(time ?? "some time")"
  }

  private static func place(_ function: String, _ location: String?) -> String {
    let name = function.isEmpty ? "an unnamed function" : function
    return location.map { "\(name) (\($0))" } ?? name
  }
}

extension Report.Exploration {
  /// The answer if nothing was found: it is never "clean".
  public var withoutFind: String {
    "no problem in \(Quantity.count(runs, "run")) of \(Quantity.count(points, "point")), "
      + "\(Quantity.number(reversedSites)) of \(Quantity.number(racingSites)) racing places tried in both orders"
  }
}
