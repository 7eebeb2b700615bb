import Foundation

/// What a command printed and how it ended.
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
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], folder: String? = nil
  ) throws -> CommandResult {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : "/usr/bin/env")
    process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardInput = FileHandle.nullDevice
    // Files rather than pipes: a program may print more than a pipe holds, to both.
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    func sink(_ name: String) throws -> (URL, FileHandle) {
      let url = scratch.appendingPathComponent(name)
      try Data().write(to: url)
      return (url, try FileHandle(forWritingTo: url))
    }
    let (outputURL, output) = try sink("out")
    let (errorURL, errors) = try sink("err")
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    let status = process.terminationStatus
    return CommandResult(
      output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorURL), as: UTF8.self),
      status: process.terminationReason == .uncaughtSignal ? 128 + status : status)
  }
}
