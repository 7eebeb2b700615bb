extension Report {
  /// The gate's result for one finding.
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
    /// "kept", "broken", or "unknown" if the trace does not show it.
    public var result: String
    /// What was observed.
    public var sentence: String

    public init(text: String, result: String, sentence: String) {
      self.text = text
      self.result = result
      self.sentence = sentence
    }
  }

  /// The policy of a gate and its results besides the findings'.
  public struct Gate: Codable, Sendable, Equatable {
    /// Kinds that fail; "errors" represents every finding of that severity.
    public var failOn: [String]
    public var contracts: [Contract]
    /// Findings in the baseline that did not occur: "fingerprint kind class".
    public var fixed: [String]
    public var unusedSuppressions: [String]
    /// A finding is "new" if a baseline was given that does not contain it.
    public var hasBaseline: Bool
    /// What a clean verdict does not include: "leaks were not looked for".
    public var exception: String?

    public init(
      failOn: [String], contracts: [Contract], fixed: [String], unusedSuppressions: [String], hasBaseline: Bool,
      exception: String? = nil
    ) {
      self.failOn = failOn
      self.contracts = contracts
      self.fixed = fixed
      self.unusedSuppressions = unusedSuppressions
      self.hasBaseline = hasBaseline
      self.exception = exception
    }
  }
}

extension Report {
  /// Why there is no verdict on a trace alone.
  public static let unknownEnd =
    "The recording does not say how the program ended: it crashed, was killed, or still runs."

  /// "1 finding and 2 broken contracts", or a sentence if an exploration found a problem without a finding; nil if
  /// nothing fails.
  public var failures: String? {
    let findings = findings.filter(\.isFailing).count
    let contracts = gate?.contracts.filter { $0.result == "broken" }.count ?? 0
    var parts: [String] = []
    if findings > 0 { parts.append(Quantity.count(findings, "finding")) }
    if contracts > 0 { parts.append(Quantity.count(contracts, "broken contract")) }
    return parts.isEmpty ? exploration?.problem : parts.joined(separator: " and ")
  }

  /// "2 known, 1 suppressed", or nil if there are none.
  public var accepted: String? {
    let counts = [(findings.filter(\.isKnown).count, "known"), (findings.filter(\.isSuppressed).count, "suppressed")]
    let parts = counts.filter { $0.0 > 0 }.map { "\(Quantity.number($0.0)) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// "2 warnings, 1 note": the findings that do not fail, and were not accepted either.
  var besides: String? {
    let open = findings.filter { !$0.isFailing && !$0.isKnown && !$0.isSuppressed }
    let parts = ["error", "warning", "note"].compactMap { severity in
      let count = open.count { $0.severity == severity }
      return count == 0 ? nil : Quantity.count(count, severity)
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// What a clean verdict was given in spite of, and without: "2 known, leaks were not looked for"; "" for nothing.
  var cleanRemarks: String { [accepted, cleanException].compactMap { $0 }.joined(separator: ", ") }

  /// "leaks were not looked for".
  var cleanException: String? { gate.map(\.exception) ?? exception }

  /// "the program was ended by SIGILL": why a check without findings does not succeed; nil if it does.
  var failedEnd: String? {
    program.signal != nil || program.exitStatus.map { $0 != 0 } ?? false ? "the program \(program.ending)" : nil
  }
}

extension Report.Finding {
  /// Whether it fails the gate; without a gate, an error does.
  public var isFailing: Bool { outcome.map { $0.state == "failing" } ?? (severity == "error") }

  public var isSuppressed: Bool { outcome?.state == "suppressed" }
  public var isKnown: Bool { outcome?.state == "known" }
}
