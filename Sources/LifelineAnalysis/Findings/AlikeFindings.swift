import LifelineTrace

/// Merges late deallocations or near misses that several objects had in the same way at the same lines.
///
/// A loop or a server does the same repeatedly. Different tests are kept apart.
struct AlikeFindings {
  private struct Line: Hashable {
    let role: Finding.Role
    let function: String?
    let line: Int?
  }

  private struct Way: Hashable {
    let kind: Finding.Kind
    let severity: Finding.Severity
    let className: String
    let access: Finding.Access?
    let sender: String?
    let lines: [Line]
    let keeper: String
    let owner: String
    let consequences: [String]
    let test: String?
  }

  private let sites: CallSiteTable
  private let backtraces: BacktraceTable
  private var tests: TestFinder

  init(_ sites: CallSiteTable, _ backtraces: BacktraceTable, names: any CodeNaming) {
    self.sites = sites
    self.backtraces = backtraces
    tests = TestFinder(names: names)
  }

  /// The first finding of each group, which contains the others.
  mutating func together(_ findings: [Finding]) -> [Finding] {
    var places: [Way: Int] = [:]
    var result: [Finding] = []
    for finding in findings {
      let way = way(finding)
      if let place = places[way] {
        result[place].alike.append(finding)
        result[place].similar += finding.similar
      } else {
        places[way] = result.count
        result.append(finding)
      }
    }
    return result
  }

  private mutating func way(_ finding: Finding) -> Way {
    let lines = finding.places.map { place in
      let function = sites.site(place.backtrace).function
      return Line(role: place.role, function: function?.function, line: function?.line)
    }
    var test: String?
    for place in finding.places where test == nil { test = tests.test(of: place.backtrace, in: backtraces) }
    let late = finding.lifetime?.lateDeallocation
    return Way(
      kind: finding.kind, severity: finding.severity, className: finding.object.className, access: finding.access,
      sender: finding.sender.map { "\($0.className).\($0.property?.name ?? "")" }, lines: lines,
      keeper: late.map { Self.kind(of: $0.kept.holder) } ?? "",
      owner: late.map { Self.kind(of: $0.lastOwner.holder) } ?? "",
      consequences: finding.consequences.map(Self.kind), test: test)
  }

  /// The kind of a holder, for any instance.
  private static func kind(of holder: Holder) -> String {
    switch holder {
    case .property(let className, let property, _): "\(className).\(property ?? "")"
    case .reference: "reference"
    case .closure: "closure"
    case .function(let name), .library(let name, _): name
    case .activity(let rule): rule.id
    }
  }

  private static func kind(of consequence: Consequence) -> String {
    switch consequence {
    case .harm: "harm"
    case .nearMiss: "near miss"
    case .work(let methods): methods.map(\.function).joined(separator: "\n")
    case .elsewhere(let executor, let className): "\(executor) \(className ?? "")"
    }
  }
}
