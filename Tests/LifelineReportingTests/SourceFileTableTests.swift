import Foundation
@testable import LifelineReporting
import Testing

@Suite struct SourceFileTableTests {
  @Test("Source that changed after the program was built or recorded is not shown")
  func changed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func file(_ name: String, age: TimeInterval) throws -> String {
      let path = folder.appendingPathComponent(name).path
      try "let x = 1\n".write(toFile: path, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
      return path
    }
    let source = try file("a.swift", age: 100)
    let older = try file("older", age: 200), newer = try file("newer", age: 50)
    let now = UInt64(Date().timeIntervalSince1970 * 1e9)
    func shows(_ table: SourceFileTable) -> Bool { !table.lines(around: 1, of: source, margin: 0).isEmpty }
    #expect(shows(SourceFileTable()))
    #expect(shows(SourceFileTable(program: newer, recordedAt: now)))
    #expect(!shows(SourceFileTable(program: older, recordedAt: now)))
    #expect(!shows(SourceFileTable(program: newer, recordedAt: now - 150_000_000_000)))
    #expect(shows(SourceFileTable(program: "/no/such/program")))
  }
}
