extension Report {
  /// What the gate made of one finding.
  public struct Outcome: Codable, Sendable, Equatable {
    /// "failing"; "passing" (its kind does not fail the gate); "suppressed"; "known" (in the baseline).
    public var state: String
    /// Why it does not fail: the suppression's reason, or a sentence.
    public var reason: String?

    public init(state: String, reason: String?) {
      self.state = state
      self.reason = reason
    }
  }

  /// A rule of the contract file, and whether the run kept it.
  public struct Contract: Codable, Sendable, Equatable {
    /// The line of the contract file, "App.Node: max-live 2".
    public var text: String
    /// "kept", "broken", or "unknown" when the trace cannot tell.
    public var result: String
    /// What was seen.
    public var sentence: String

    public init(text: String, result: String, sentence: String) {
      self.text = text
      self.result = result
      self.sentence = sentence
    }
  }

  /// The policy of a gate and its results besides the findings'.
  public struct Gate: Codable, Sendable, Equatable {
    /// Kinds that fail; "errors" stands forevery finding of that severity.
    public var failOn: [String]
    public var contracts: [Contract]
    /// Findings of the baseline that did not occur: "fingerprint kind class".
    public var fixed: [String]
    public var unusedSuppressions: [String]
    /// A finding is "new" when a baseline was given that does not have it.
    public var hasBaseline: Bool

    public init(
      failOn: [String], contracts: [Contract], fixed: [String], unusedSuppressions: [String], hasBaseline: Bool
    ) {
      self.failOn = failOn
      self.contracts = contracts
      self.fixed = fixed
      self.unusedSuppressions = unusedSuppressions
      self.hasBaseline = hasBaseline
    }
  }
}

extension Report {
  /// "1 finding and 2 broken contracts", or a sentence where an exploration found what no finding says;
  /// nil when nothing fails.
  public var failures: String? {
    let findings = findings.filter(\.isFailing).count
    let contracts = gate?.contracts.filter { $0.result == "broken" }.count ?? 0
    var parts: [String] = []
    if findings > 0 { parts.append(Quantity.count(findings, "finding")) }
    if contracts > 0 { parts.append(Quantity.count(contracts, "broken contract")) }
    return parts.isEmpty ? exploration?.problem : parts.joined(separator: " and ")
  }

  /// "2 known, 1 suppressed", or nil when there are none.
  public var accepted: String? {
    let counts = [(findings.filter(\.isKnown).count, "known"), (findings.filter(\.isSuppressed).count, "suppressed")]
    let parts = counts.filter { $0.0 > 0 }.map { "\(Quantity.number($0.0)) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Report.Finding {
  /// Whether it makes the gate red: without a gate, an error does.
  public var isFailing: Bool { outcome.map { $0.state == "failing" } ?? (severity == "error") }

  public var isSuppressed: Bool { outcome?.state == "suppressed" }
  public var isKnown: Bool { outcome?.state == "known" }
}
