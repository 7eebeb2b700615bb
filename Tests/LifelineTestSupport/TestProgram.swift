import Foundation

/// A small program that a test brings as source; compiled once for all runs with the same source and options.
public struct TestProgram: Sendable {
  public let path: String

  public init(_ source: String, options: [String] = ["-Onone"], file: String = "main.swift", compiler: String = "swiftc") throws {
    let key = Self.hash(([compiler, file, source] + options).joined(separator: "\u{0}"))
    let folder = BuiltPackage.buildFolder.appendingPathComponent("test-programs/\(key)")
    path = folder.appendingPathComponent("program").path
    if FileManager.default.fileExists(atPath: path) { return }
    // A source of its own: the compiler refuses a file that another test rewrites while it compiles.
    let sources = folder.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let input = sources.appendingPathComponent(file)
    try source.write(to: input, atomically: true, encoding: .utf8)
    let fresh = path + ".\(UUID().uuidString)"
    let result = try CommandResult.run(compiler, options + [input.path, "-o", fresh])
    guard result.status == 0 else { throw TestProgramError(description: "\(compiler) failed:\n\(result.errors)") }
    // Another test may have compiled the same program meanwhile; either copy is good.
    if rename(fresh, path) != 0 { try? FileManager.default.removeItem(atPath: fresh) }
  }

  /// FNV-1a.
  private static func hash(_ text: String) -> String {
    String(text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}

public struct TestProgramError: Error, CustomStringConvertible {
  public let description: String
  public init(description: String) { self.description = description }
}
