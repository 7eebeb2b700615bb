import Foundation

/// A command's output and how it ended.
public struct CommandResult: Sendable, Equatable {
  public let output: String
  public let errors: String
  /// Exit status, or 128 + signal number.
  public let status: Int32

  public init(output: String, errors: String, status: Int32) {
    self.output = output
    self.errors = errors
    self.status = status
  }

  /// Runs a program and waits for it; standard input is empty.
  ///
  /// - Parameter limit: After this time the program is killed with everything it started, in case it hangs.
  /// - Throws: `TestProcessError` if the program cannot be started or the limit is reached.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil,
    limit: Duration = .seconds(300)
  ) throws -> CommandResult {
    try withTemporaryFolder { scratch in
      // Files rather than pipes, because a program may print more than a pipe holds to both.
      let files = (output: "\(scratch)/out", errors: "\(scratch)/err")
      func text(_ file: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
      }
      // Settings for building our own tests (Package.swift) must not affect the packages that tests build.
      let own = ProcessInfo.processInfo.environment.filter { !["LIFELINE_OPTIMIZE", "COLUMNS"].contains($0.key) }
      let process = try TestProcess(
        program, arguments, environment: own.merging(environment) { $1 }, folder: folder,
        output: files.output, errors: files.errors, limit: limit)
      do {
        let status = try process.wait()
        return CommandResult(output: try text(files.output), errors: try text(files.errors), status: status)
      } catch let error as TestProcessError {
        throw TestProcessError(
          "\(error)\n\(try text(files.output).suffix(2000))\n\(try text(files.errors).suffix(2000))")
      }
    }
  }
}
