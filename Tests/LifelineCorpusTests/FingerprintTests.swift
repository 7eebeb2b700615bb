import Foundation
import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct FingerprintTests {
  /// The accessing function itself is inlined, and the line tables do not say so.
  static let changedByOptimizer: Set = ["CWritesField"]

  private func fingerprint(_ source: String, _ level: String, options: [String] = [], file: String = "main.swift")
    throws -> String
  {
    let program = try TestProgram(source, options: ["-g", level, "-module-name", "Corpus"], file: file)
    let run = try CorpusRun(program, ["--guard", "*"] + options)
    return try #require(run.report.findings.first).fingerprint
  }

  @Test(
    "A bug has the same fingerprint in debug and release builds", arguments: CorpusBuild.triedNames(of: "UseAfterFree"))
  func levels(_ name: String) throws {
    let source = try CorpusProgram(name, in: "UseAfterFree").source
    let isSame = try fingerprint(source, "-Onone") == fingerprint(source, "-O")
    #expect(isSame != Self.changedByOptimizer.contains(name), "the same: \(isSame)")
  }

  @Test(
    "Unrelated edits above a bug do not change its fingerprint", arguments: ["DelegateWitness", "TaskCapture"])
  func edits(_ name: String) throws {
    let source = try CorpusProgram(name, in: "UseAfterFree").source
    let above = """
      private final class Unrelated { var values = [1, 2, 3].map { $0 * 2 } }
      func unrelated(_ number: Int) -> Int { [number].map { $0 + 1 }.reduce(0) { $0 + $1 } }
      print(unrelated(3), Unrelated().values.filter { $0 > 2 }.count)

      """
    try #expect(fingerprint(source, "-Onone") == fingerprint(above + source, "-Onone"))
    try #expect(fingerprint(source, "-O") == fingerprint(above + source, "-O"))
  }

  @Test("A bug has the same fingerprint whether the run stops or continues, and without debug information")
  func ways() throws {
    let source = try CorpusProgram("DelegateWitness", in: "UseAfterFree").source
    let stopped = try fingerprint(source, "-Onone")
    try #expect(stopped == fingerprint(source, "-Onone", options: ["--on-use-after-free", "continue"]))
    let bare = try TestProgram(source, options: ["-Onone", "-module-name", "Corpus"])
    try #expect(stopped == #require(CorpusRun(bare, ["--guard", "*"]).report.findings.first).fingerprint)
  }
}
