import ArgumentParser
import LifelineGate
import LifelineTrace

/// The exit statuses that scripts depend on.
enum ExitStatus {
  static let findings = ExitCode(1)
  static let toolFailure = ExitCode(2)
  static let noVerdict = ExitCode(3)
  static let couldNotStart = ExitCode(127)

  /// The status with which `check` ends after a verdict; without a finding, the program's own status, if one was run.
  ///
  /// - Throws: the status, unless it is 0.
  static func end(with verdict: GateVerdict, of end: Recording.End?) throws {
    switch verdict {
    case .findings: throw findings
    case .none: throw noVerdict
    case .clean: if let end { throw of(end) }
    }
  }

  /// The program's own status, or 128 + signal number if a signal killed it.
  static func of(_ end: Recording.End) -> ExitCode {
    switch end {
    case .exit(let status): ExitCode(Int32(status))
    case .signal(let number): ExitCode(Int32(128 + number))
    case .unknown, .replaced, .detached: toolFailure
    }
  }
}
