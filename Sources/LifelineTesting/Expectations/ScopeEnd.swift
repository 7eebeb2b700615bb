/// What was found when a test, or the body of an expectation, had ended.
struct ScopeEnd {
  /// What is wrong.
  var texts: [String] = []
  /// The allowances that cover something which lives, by their places in the list; nil where that is not known.
  var used: Set<Int>?

  /// What to say of allowances that cover nothing.
  func idleTexts(_ allowances: [LeakAllowance]) -> [String] {
    guard let used else { return [] }
    return allowances.indices.filter { !used.contains($0) }.map { allowances[$0].idleText }
  }
}
