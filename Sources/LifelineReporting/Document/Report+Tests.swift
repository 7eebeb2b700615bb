import LifelineAnalysis

extension Report {
  /// One test's share of a run: `--per-test`.
  public struct Test: Codable, Sendable, Equatable {
    /// "SessionTests.testClosing()".
    public var name: String
    public var objects: Int
    public var bytes: Int
    /// Maximum bytes of its objects that were live at once.
    public var peakBytes: Int
    /// Its objects that are live at the end of the process.
    public var liveAtExit: Int
    /// Nil if the retains of some class were not recorded.
    public var retains: Int?
    /// Findings of any severity that name the test.
    public var findings: Int

    mutating func add(_ other: Test) {
      objects += other.objects
      bytes += other.bytes
      peakBytes = max(peakBytes, other.peakBytes)
      liveAtExit += other.liveAtExit
      retains = retains.flatMap { own in other.retains.map { own + $0 } }
      findings += other.findings
    }
  }

  /// The report with a table of its tests, most bytes first.
  public func counting(_ costs: [TestCost]) -> Report {
    var report = self
    let found = Dictionary(findings.flatMap(\.allTests).map { ($0, 1) }, uniquingKeysWith: +)
    let isCounted = !classes.contains { $0.isCounted == false }
    var tests = costs.map {
      Test(
        name: $0.name, objects: $0.objects, bytes: $0.bytes, peakBytes: $0.peakBytes, liveAtExit: $0.liveObjects,
        retains: isCounted ? $0.retains : nil, findings: found[$0.name] ?? 0)
    }
    let known = Set(costs.map(\.name))
    for (name, count) in found where !known.contains(name) {
      tests.append(
        Test(
          name: name, objects: 0, bytes: 0, peakBytes: 0, liveAtExit: 0, retains: isCounted ? 0 : nil, findings: count))
    }
    report.tests = Self.sorted(tests)
    return report
  }

  /// One table for several processes: a test that ran in more than one is counted in each, with its highest peak.
  static func combined(_ lists: [[Test]]) -> [Test] {
    var byName: [String: Test] = [:]
    for test in lists.joined() {
      byName[
        test.name,
        default: Test(name: test.name, objects: 0, bytes: 0, peakBytes: 0, liveAtExit: 0, retains: 0, findings: 0)
      ].add(test)
    }
    return sorted(Array(byName.values))
  }

  private static func sorted(_ tests: [Test]) -> [Test] { tests.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) } }
}

extension Report.Finding {
  var allTests: [String] { tests ?? test.map { [$0] } ?? [] }

  /// "In the test A.", or "In the tests A and B."; of many the first three and how many more.
  var testSentence: String? {
    let all = allTests
    guard let last = all.last else { return nil }
    if all.count == 1 { return "In the test \(last)." }
    let shown = all.count > 4 ? Array(all.prefix(3)) : all.dropLast()
    let rest = all.count > 4 ? "\(Quantity.number(all.count - 3)) more" : last
    return "In the tests \(shown.joined(separator: ", ")) and \(rest)."
  }
}
