import LifelineAnalysis
import Testing

@testable import LifelineGate

private let kinds = ["use-after-free", "over-release", "leak"]

private func finding(
  _ kind: String = "use-after-free", severity: String = "error", fingerprint: String = "00c0ffee00c0ffee",
  className: String = "App.Node", names: [String] = ["App.Node", "Node.init()", "/src/Node.swift", "App"]
) -> GateFinding {
  GateFinding(kind: kind, severity: severity, fingerprint: fingerprint, className: className, names: names)
}

@Suite struct NamePatternTests {
  @Test(
    "A star matches any characters, other characters match themselves, and the whole name must match",
    arguments: [
      ("Node", "Node", true), ("Node", "NodeX", false), ("Node", "XNode", false), ("N*e", "Node", true),
      ("N*e", "Ne", true),
      ("N*e", "N", false), ("*", "", true), ("*", "x", true), ("", "", true), ("", "x", false), ("*ode", "Node", true),
      ("a*b*c", "aXbYc", true), ("a*b*c", "acb", false), ("*aab*", "aaab", true), ("ab*ba", "aba", false),
      ("a**b", "ab", true),
      ("*é*", "café au lait", true),
    ])
  func whole(_ pattern: String, _ name: String, _ expected: Bool) {
    #expect(NamePattern(pattern).matches(name) == expected)
  }

  @Test(
    "A suppression's pattern matches anywhere unless ^ or $ anchors it",
    arguments: [
      ("ode", "Node", true), ("^ode", "Node", false), ("^Nod", "Node", true), ("ode$", "Node", true),
      ("Nod$", "Node", false),
      ("^Node$", "Node", true), ("N*e", "a Node b", true), ("libFoundation", "libFoundation.so", true),
    ])
  func suppression(_ pattern: String, _ name: String, _ expected: Bool) {
    #expect(NamePattern(suppression: pattern).matches(name) == expected)
  }

  @Test("A long name and many stars match in bounded time", .timeLimit(.minutes(60)))
  func time() {
    let pattern = NamePattern(String(repeating: "*a", count: 200) + "*b")
    #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
  }
}

@Suite struct PolicyTests {
  @Test("Errors fail by default, kinds and severities can be chosen, and an unknown word is an error")
  func failOn() throws {
    #expect(FailPolicy().fails(finding()) && !FailPolicy().fails(finding(severity: "warning")))
    let chosen = try FailPolicy("leak, over-release", kinds: kinds)
    #expect(chosen.fails(finding("leak", severity: "note")) && !chosen.fails(finding()))
    try #expect(FailPolicy("warnings", kinds: kinds).fails(finding(severity: "warning")))
    try #expect(!FailPolicy("warnings", kinds: kinds).fails(finding(severity: "note")))
    try #expect(FailPolicy("notes", kinds: kinds).fails(finding(severity: "note")))
    for bad in ["leeks", "", "leak,", "errors,x"] {
      #expect(throws: GateError.self) { try FailPolicy(bad, kinds: kinds) }
    }
    #expect(
      throws: GateError(
        "Unknown finding kind 'leeks'. --fail-on takes errors, warnings, notes or use-after-free, over-release, leak.")
    ) {
      try FailPolicy("leeks", kinds: kinds)
    }
  }

  @Test("A suppression needs a kind, a pattern and a reason, and matches class, function, file or image")
  func suppressions() throws {
    let list = try SuppressionList(
      """
      # Third party
      use-after-free:Node.init   # issue 12 # upstream

      leak:*.swift$ # another\r
      *:^App$ # whole image
      """, file: "s.txt", kinds: kinds)
    #expect(list.suppressions.map(\.reason) == ["issue 12 # upstream", "another", "whole image"])
    #expect(list.match(finding())?.line == 2)
    #expect(list.match(finding("leak"))?.line == 4)
    #expect(list.match(finding("leak", names: ["App"]))?.line == 5)
    #expect(list.match(finding("leak", names: ["Apple"])) == nil)
    #expect(list.unused(by: [finding()]) == ["leak:*.swift$"])
  }

  @Test(
    "An invalid suppression is rejected with its line number",
    arguments: [
      ("\nleak", "s:2: 'leak' is not a suppression; write kind:pattern # reason."),
      (
        "leek:x # y",
        "s:1: unknown finding kind 'leek'; the kinds are use-after-free, over-release, leak, or * for all."
      ),
      ("leak:Node", "s:1: the suppression leak:Node gives no reason; write it after '#'."),
      ("leak:Node #  ", "s:1: the suppression leak:Node gives no reason; write it after '#'."),
      ("leak: # all", "s:1: the pattern '' would suppress everything; name a class, function, file or image."),
      ("*:* # all", "s:1: the pattern '*' would suppress everything; name a class, function, file or image."),
    ])
  func badSuppressions(_ text: String, _ sentence: String) {
    #expect(throws: GateError(sentence)) { try SuppressionList(text, file: "s", kinds: kinds) }
  }

  @Test("A baseline reads back as written, sorted, with one line per finding")
  func baseline() throws {
    let baseline = Baseline([
      finding(fingerprint: "ffff000000000000", className: "App.Zoo"),
      finding("leak", className: "App.Box<Int, String>\n# x"), finding(),
      finding(),
    ])
    #expect(
      baseline.text == """
        # lifeline.baseline/1
        # Known findings, written by 'lifeline check --update-baseline'.
        00c0ffee00c0ffee leak App.Box<Int, String>\u{FFFD}# x
        00c0ffee00c0ffee use-after-free App.Node
        ffff000000000000 use-after-free App.Zoo

        """)
    let read = try Baseline(baseline.text, file: "b")
    #expect(read == baseline)
    #expect(read.contains(finding("leak", className: "other")), "only the fingerprint counts")
    #expect(!read.contains(finding(fingerprint: "0000000000000001")))
    #expect(read.missing(from: [finding()]).map(\.line) == ["ffff000000000000 use-after-free App.Zoo"])
  }

  @Test("A file that is not a baseline is rejected with its line number")
  func badBaselines() {
    #expect(
      throws: GateError(
        "b is not a baseline: its first line is not '# lifeline.baseline/1'. --update-baseline writes one.")
    ) {
      try Baseline("", file: "b")
    }
    #expect(
      throws: GateError("b:2: 'xyz leak' is not an entry; it must be a fingerprint of 16 digits, a kind and a class.")
    ) {
      try Baseline("# lifeline.baseline/1\nxyz leak", file: "b")
    }
  }

  @Test("Suppressions apply before the baseline, and the baseline before the policy")
  func states() throws {
    var policy = GatePolicy()
    #expect(policy.state(of: finding()) == .failing)
    policy.failOn = try FailPolicy("leak", kinds: kinds)
    #expect(policy.state(of: finding()) == .passing)
    policy.baseline = Baseline([finding()])
    #expect(policy.state(of: finding()) == .known)
    policy.suppressions = try SuppressionList("*:Node # why", file: "s", kinds: kinds)
    #expect(policy.state(of: finding()) == .suppressed(reason: "why"))
  }

  @Test("A new baseline omits suppressed findings and keeps those that an incomplete run did not reach")
  func update() throws {
    var policy = GatePolicy()
    policy.suppressions = try SuppressionList("leak:Node # why", file: "s", kinds: kinds)
    policy.baseline = Baseline([finding(fingerprint: "0000000000000001")])
    let found = [finding(), finding("leak", fingerprint: "0000000000000002")]
    #expect(policy.updatedBaseline(found) { _ in true }.entries.map(\.fingerprint) == ["00c0ffee00c0ffee"])
    #expect(
      policy.updatedBaseline(found) { _ in false }.entries.map(\.fingerprint) == [
        "0000000000000001", "00c0ffee00c0ffee",
      ])
  }

  @Test("Findings outrank a blind recording, which outranks success; an unknown contract is not a success")
  func verdict() throws {
    let contract = try ContractList("Node: max-live 1", file: "c").contracts[0]
    func result(_ outcome: ContractResult.Outcome) -> [ContractResult] {
      [ContractResult(contract: contract, outcome: outcome, sentence: "So.")]
    }
    #expect(GateVerdict(failing: 0, contracts: [], obstacle: nil) == .clean)
    #expect(GateVerdict(failing: 1, contracts: [], obstacle: "Blind.") == .findings)
    #expect(GateVerdict(failing: 0, contracts: result(.broken), obstacle: "Blind.") == .findings)
    #expect(GateVerdict(failing: 0, contracts: result(.kept), obstacle: "Blind.") == .none("Blind."))
    #expect(GateVerdict(failing: 0, contracts: result(.kept), obstacle: nil) == .clean)
    #expect(
      GateVerdict(failing: 0, contracts: result(.unknown), obstacle: nil)
        == .none("The contract Node: max-live 1 could not be judged: So."))
  }
}
