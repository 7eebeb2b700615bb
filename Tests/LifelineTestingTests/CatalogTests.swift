import Foundation
import LifelineTestSupport
import Testing

/// The documentation catalogs of `Lifeline` and `LifelineTesting`, and the programs of the tutorials.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct CatalogTests {
  @Test("DocC builds both catalogs without warnings, and every public declaration is documented")
  func catalogs() throws {
    try withTemporaryFolder { folder in
      let script = BuiltPackage.root.appendingPathComponent("Scripts/document").path
      let result = try CommandResult.run(script, ["--products", BuiltPackage.buildFolder.path, folder], folder: folder)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.output == "\(folder)/Lifeline.doccarchive\n\(folder)/LifelineTesting.doccarchive\n")
      let tutorials = "\(folder)/LifelineTesting.doccarchive/data/tutorials"
      #expect(FileManager.default.fileExists(atPath: "\(tutorials)/finding-lifetime-errors.json"))
    }
  }

  @Test(
    "A tutorial's program has the error that the tutorial describes, and its fixed version has none",
    arguments: [
      ("leak", 1, "error: leak   A retain cycle keeps Session#1 alive: Session.onEvent → closure at leak-1.swift:6"),
      ("freed", 1, "error: use-after-free   Screen#1 was retained "),
      (
        "late", 0,
        "warning: near-miss   Download#1 was used while only NotificationCenter.post(name:object:) kept it alive"
      ),
    ])
  func tutorial(name: String, status: Int32, sentence: String) throws {
    let wrong = try check(name, step: 1)
    #expect(wrong.status == status && wrong.output.contains(sentence), "\(wrong.output)\(wrong.errors)")
    let right = try check(name, step: 2)
    #expect(right.status == 0 && right.output.contains("\nVerdict: clean\n"), "\(right.output)\(right.errors)")
  }

  private func check(_ name: String, step: Int) throws -> CommandResult {
    let file = "\(name)-\(step).swift"
    let source = BuiltPackage.root.appendingPathComponent(
      "Sources/LifelineTesting/LifelineTesting.docc/Resources/\(file)")
    let program = try TestProgram(
      String(contentsOf: source, encoding: .utf8), options: ["-Onone", "-g"], file: file)
    return try withTemporaryFolder { folder in
      try CommandResult.run(BuiltPackage.lifeline, ["check", "--", program.path], folder: folder)
    }
  }
}
