import ArgumentParser
import LifelineTrace

/// The exit statuses that scripts depend on.
enum ExitStatus {
  static let findings = ExitCode(1)
  static let toolFailure = ExitCode(2)
  static let noVerdict = ExitCode(3)
  static let couldNotStart = ExitCode(127)

  /// The program's own status, 128 + signal number when it died of one.
  static func of(_ end: Recording.End) -> ExitCode {
    switch end {
    case .exit(let status): ExitCode(Int32(status))
    case .signal(let number): ExitCode(Int32(128 + number))
    case .unknown, .replaced, .detached: toolFailure
    }
  }
}
