import Foundation
import LifelineTestSupport
import Testing

/// A gate that needs the names of the program's functions, after these were lost.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct NamelessTests {
  @Test("Without the program's names, near misses cannot be ruled out, and none is reported as fixed")
  func stripped() throws {
    let source = BuiltPackage.root.appendingPathComponent("Tests/Corpus/NearMisses/AfterUnsafe.swift")
    let program = try TestProgram(String(contentsOf: source, encoding: .utf8), options: ["-Onone", "-g"])
    try withTemporaryFolder { folder in
      try program.copy(to: "\(folder)/app")
      try #expect(lifeline(["record", "-q", "-o", "trace", "./app"], in: folder).status == 0)
      let check = ["check", "--fail-on", "near-miss", "--baseline", "known", "trace"]
      try #expect(lifeline(check + ["--update-baseline"], in: folder).status == 0)
      let known = try String(contentsOfFile: "\(folder)/known", encoding: .utf8)
      #expect(known.contains("near-miss"))

      try FileManager.default.removeItem(atPath: "\(folder)/app")
      let blind = try lifeline(check, in: folder)
      #expect(blind.status == 3)
      #expect(
        blind.output.contains(
          "Verdict: no verdict: --fail-on near-miss needs the names of the program's functions. The file "),
        "\(blind.output)")
      #expect(!blind.output.contains("Fixed since the baseline"), "\(blind.output)")
      _ = try lifeline(check + ["--update-baseline"], in: folder)
      try #expect(String(contentsOfFile: "\(folder)/known", encoding: .utf8) == known, "it is kept")
      try #expect(lifeline(["check", "trace"], in: folder).status == 0, "errors do not depend on names")
    }
  }
}
