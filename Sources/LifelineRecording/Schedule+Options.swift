import LifelineTrace

extension Schedule {
  /// Adds the probe's options for it; `budget` is in microseconds.
  func add(to text: inout OptionText, budget: Int) {
    switch self {
    case .none: text.add("explore", "learn")
    case .random(let seed): text.add("explore", String(seed))
    case .holds(let holds):
      text.add("holds", holds.map { "\($0.key).\($0.visit)" }.joined(separator: ","))
      // Of many holds the first would use up what all may take.
      text.add("explore-longest", holds.count > 2 ? "5000" : "20000")
    }
    text.add("explore-budget", String(budget))
  }
}
