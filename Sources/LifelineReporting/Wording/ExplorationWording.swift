/// Says what an exploration tried and found.
struct ExplorationWording {
  private static let holdLimit = 8
  let exploration: Report.Exploration

  /// What was tried, and what came of it.
  var summary: [String] {
    let e = exploration
    var tried =
      "\(Quantity.count(e.runs, "schedule")) of \(Quantity.count(e.points, "point")) in "
      + "\(Quantity.duration(e.duration))"
    if e.stopped > 0 {
      tried +=
        "; \(Quantity.count(e.stopped, "run")) took longer than the limit and \(e.stopped == 1 ? "was" : "were") ended"
    }
    let pairs =
      e.racingSites == 0
      ? "No object was seen to be shared by threads."
      : "\(Quantity.count(e.racingSites, "place")) where a thread meets objects of another: "
        + "tried in both orders \(Quantity.number(e.reversedSites)), "
        + "not \(Quantity.number(e.racingSites - e.reversedSites))."
    guard let run = e.foundInRun else { return ["No problem in \(tried).", pairs] }
    var sentences = [
      "Found in run \(Quantity.number(run))" + (e.strategy.map { ", with \($0)" } ?? "") + ". Tried: \(tried).", pairs,
    ]
    if let seed = e.seed { sentences.append("To see it again: --seed \(seed)" + again + ".") }
    return sentences
  }

  private var again: String {
    guard let shown = exploration.shownAgain, let of = exploration.shownAgainOf else { return "" }
    return " (it did in \(Quantity.number(shown)) of \(Quantity.number(of)) runs)"
  }

  /// The order that matters, one sentence for each hold.
  var schedule: [String] {
    let holds = exploration.schedule
    let rest = holds.count - Self.holdLimit
    return holds.prefix(Self.holdLimit).map(sentence) + (rest > 0 ? ["And \(Quantity.count(rest, "hold")) more."] : [])
  }

  private func sentence(_ hold: Report.Exploration.Hold) -> String {
    let what =
      switch hold.before {
      case "use": "before its use of \(hold.object?.id ?? "an object")"
      case "release": "before its release of \(hold.object?.id ?? "an object")"
      case "deinit": "before the deinit of \(hold.object?.id ?? "an object")"
      case "lock": "before it takes a lock"
      case "unlock": "after it has given back a lock"
      case "wait": "after its wait"
      case "signal": "after it has told others to go on"
      case "enqueue": "before it enqueues work"
      case "run": "before this begins"
      case "switch": "before its task goes on there"
      default: "before an allocation"
      }
    let begin = "\(hold.thread) is held in \(Self.place(hold.function, hold.location)) \(what)"
    guard let end = hold.end else {
      guard let time = hold.microseconds else { return "\(begin)." }
      let other = hold.before.hasSuffix("lock") ? "has had it" : "comes there"
      let until = hold.isOvertaken ? "until another thread \(other)" : "for \(Quantity.duration(time * 1000))"
      return "\(begin), \(until)."
    }
    return "\(begin); meanwhile \(end.thread) frees it in \(Self.place(end.function, end.location))."
  }

  private static func place(_ function: String, _ location: String?) -> String {
    let name = function.isEmpty ? "a function without a name" : function
    return location.map { "\(name) (\($0))" } ?? name
  }
}

extension Report.Exploration {
  /// The answer where nothing was found: it is never "clean".
  public var withoutFind: String {
    "no problem in \(Quantity.count(runs, "schedule")) of \(Quantity.count(points, "point")), "
      + "\(Quantity.number(reversedSites)) racing places tried in both orders, "
      + "\(Quantity.number(racingSites - reversedSites)) not"
  }
}
