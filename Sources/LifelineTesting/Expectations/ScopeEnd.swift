/// The findings at the end of a test or of an expectation's body.
struct ScopeEnd {
  /// The problems.
  var texts: [String] = []
  /// The allowances that cover a live object, by index; nil if unknown.
  var used: Set<Int>?

  /// The texts about allowances that cover nothing.
  func idleTexts(_ allowances: [LeakAllowance]) -> [String] {
    guard let used else { return [] }
    return allowances.indices.filter { !used.contains($0) }.map { allowances[$0].idleText }
  }
}
