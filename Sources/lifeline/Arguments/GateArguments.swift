import ArgumentParser
import Glibc
import LifelineAnalysis
import LifelineGate
import LifelineTrace

/// What `check` judges a run by.
struct GateArguments: ParsableArguments {
  @Option(help: "Finding kinds that fail, comma-separated; or errors (default), warnings, notes.")
  var failOn: String?

  @Option(help: "File of suppressions, one 'kind:pattern # reason' per line (repeatable).")
  var suppressions: [String] = []

  @Option(help: "File of known findings, which are reported but do not fail.")
  var baseline: String?

  @Option(name: .customLong("contract"), help: "File of contracts, one 'Class: rule' per line (repeatable).")
  var contractFiles: [String] = []

  private static let kinds = Finding.Kind.allCases.map(\.rawValue)

  func validate() throws {
    if let failOn {
      do { _ = try FailPolicy(failOn, kinds: Self.kinds) } catch { throw ValidationError("\(error)") }
    }
  }

  /// Whether a finding may be accepted, so that the program must continue after it.
  var acceptsFindings: Bool { failOn != nil || !suppressions.isEmpty || baseline != nil }

  /// Reads the files; a baseline to be written need not exist.
  ///
  /// - Throws: `GateError`, `TraceError`.
  func policy(updatesBaseline: Bool = false) throws -> GatePolicy {
    var policy = GatePolicy()
    if let failOn { policy.failOn = try FailPolicy(failOn, kinds: Self.kinds) }
    policy.suppressions = try SuppressionList(
      lists: suppressions.map { try SuppressionList(InputFile(path: $0).read(), file: $0, kinds: Self.kinds) })
    if let baseline, !updatesBaseline || access(baseline, F_OK) == 0 {
      do {
        policy.baseline = try Baseline(InputFile(path: baseline).read(), file: baseline)
      } catch let error as TraceError where access(baseline, F_OK) != 0 {
        throw TraceError("\(error.description) --update-baseline creates it.")
      }
    }
    return policy
  }

  func contracts() throws -> [Contract] {
    try contractFiles.flatMap { try ContractList(InputFile(path: $0).read(), file: $0).contracts }
  }
}
