import Foundation

/// A small program compiled from source in a test, once for all tests and runs that need the same one.
///
/// Programs are in the build folder, named by a hash of everything they are made of. Tests that need one at the same
/// time, in one process or several, wait for the first of them to compile it. A program unused for a week is removed.
public struct TestProgram: Sendable {
  public let path: String

  /// - Parameter inputs: Files that the source includes; changing them makes a different program.
  public init(
    _ source: String, options: [String] = ["-Onone"], file: String = "main.swift", compiler: String = "swiftc",
    inputs: [String] = []
  ) throws {
    let included = inputs.map { String(decoding: FileManager.default.contents(atPath: $0) ?? Data(), as: UTF8.self) }
    let key = Self.hash(
      ([compiler, ToolIdentity.text(of: compiler), file, source] + options + included).joined(separator: "\u{0}"))
    let folder = Self.programs.appendingPathComponent(key)
    path = folder.appendingPathComponent("program").path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let lock = open(folder.appendingPathComponent("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
      throw TestProgramError(description: "\(folder.path) cannot be locked")
    }
    defer { close(lock) }
    utimes(folder.path, nil)
    if FileManager.default.fileExists(atPath: path) { return }
    let input = folder.appendingPathComponent(file)
    try source.write(to: input, atomically: true, encoding: .utf8)
    // Complete under its final name or absent, because a killed compiler leaves a partial program.
    let fresh = path + ".new"
    let result = try CommandResult.run(compiler, options + [input.path, "-o", fresh])
    guard result.status == 0 else { throw TestProgramError(description: "\(compiler) failed:\n\(result.errors)") }
    try FileManager.default.moveItem(atPath: fresh, toPath: path)
  }

  /// A copy that a test may damage or replace. Another process writes it: while this one has a file open for writing, a
  /// child being forked has it open too, and the file cannot be executed (ETXTBSY, execve(2)).
  public func copy(to path: String) throws {
    let result = try CommandResult.run("cp", [self.path, path])
    guard result.status == 0 else { throw TestProgramError(description: "cp failed:\n\(result.errors)") }
  }

  private static let programs: URL = {
    // The kernel's name for the mapped file, as the build folder may be reached through a link.
    let folder = BuiltPackage.buildFolder.resolvingSymlinksInPath().appendingPathComponent("test-programs")
    let week = Date(timeIntervalSinceNow: -7 * 24 * 3600)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let program = folder.appendingPathComponent(name)
      let used = try? FileManager.default.attributesOfItem(atPath: program.path)[.modificationDate] as? Date
      if let used, used < week { try? FileManager.default.removeItem(at: program) }
    }
    return folder
  }()

  /// FNV-1a.
  private static func hash(_ text: String) -> String {
    String(text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}

public struct TestProgramError: Error, CustomStringConvertible {
  public let description: String
  public init(description: String) { self.description = description }
}
