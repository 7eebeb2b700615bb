import LifelineTrace

extension Schedule {
  /// Factor by which a patient hold is longer.
  private static let patience = 5

  /// Adds the probe's options for it; `budget` is in microseconds.
  func add(to text: inout OptionText, budget: Int) {
    let patience = isPatient ? Self.patience : 1
    switch self {
    case .none: text.add("explore", "learn")
    case .random(let seed): text.add("explore", String(seed))
    case .holds(let holds, _):
      text.add("holds", holds.map { "\($0.key).\($0.visit)" }.joined(separator: ","))
      // The first of many holds would use up the budget of all.
      text.add("explore-longest", String((holds.count > 2 ? 5000 : 20000) * patience))
    }
    text.add("explore-budget", String(budget * patience))
  }
}
