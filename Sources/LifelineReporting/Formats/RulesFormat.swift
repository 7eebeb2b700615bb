import LifelineAnalysis

/// Lists hold rules for a terminal.
public struct RulesFormat {
  public init() {}

  public func render(_ rules: HoldRules) -> String {
    let entries = rules.rules.map { rule in
      let scope = rule.scope == .call ? "Holds for a call of" : "Holds until released in"
      return """
        \(rule.id.safe): \(rule.holder.safe)
          \(rule.reason.safe)
          \(scope): \(rule.functions.joined(separator: "  ").safe)\
        \(rule.modules.isEmpty ? "" : " (\(rule.modules.joined(separator: ", ").safe))")
        """
    }
    return entries.joined(separator: "\n") + "\n"
  }
}
