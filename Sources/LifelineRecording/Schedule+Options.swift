import LifelineTrace

extension Schedule {
  /// How many times as long a patient hold lasts.
  private static let patience = 5

  /// Adds the probe's options for it; `budget` is in microseconds.
  func add(to text: inout OptionText, budget: Int) {
    let patience = isPatient ? Self.patience : 1
    switch self {
    case .none: text.add("explore", "learn")
    case .random(let seed): text.add("explore", String(seed))
    case .holds(let holds, _):
      text.add("holds", holds.map { "\($0.key).\($0.visit)" }.joined(separator: ","))
      // Of many holds the first would use up what all may take.
      text.add("explore-longest", String((holds.count > 2 ? 5000 : 20000) * patience))
    }
    text.add("explore-budget", String(budget * patience))
  }
}
