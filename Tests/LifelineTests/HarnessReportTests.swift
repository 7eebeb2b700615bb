import Foundation
import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct HarnessReportTests {
  /// The output of `lifeline` for a recorded run of the program.
  private func lifeline(_ arguments: [String], about program: [String]) throws -> String {
    try withTemporaryFolder { folder in
      let path = BuiltPackage.buildFolder.appendingPathComponent("HarnessProgram").path
      _ = try CommandResult.run(
        BuiltPackage.lifeline, ["record", "-q", "--zombies", "-o", "run.lifeline", "--", path] + program, folder: folder
      )
      return try CommandResult.run(
        BuiltPackage.lifeline, [arguments[0], "run.lifeline"] + arguments.dropFirst(), folder: folder
      ).output
    }
  }

  @Test("The report names the sender of a message to a dead object, not the library it went through")
  func sender() throws {
    let report = try lifeline(["report"], about: ["lost", "ignore"])
    #expect(
      report.contains("  References.useLost(_:) sent it a message (event ")
        || report.contains("  static References.useLost(_:) sent it a message (event "))
    #expect(!report.contains("TrackedUnownedUnsafe.arrives(_:) sent"))
  }

  @Test("The history names a reference's property, found through its accessor")
  func property() throws {
    let history = try lifeline(["history", "Target#1"], about: ["references"])
    let rows = history.split(separator: "\n").filter { $0.contains(" reference: ") }
    func responsible(_ what: String) -> String {
      let row = rows.first { $0.contains(what) } ?? ""
      return row.split(separator: "  ", omittingEmptySubsequences: true).map { $0.trimmingCharacters(in: .whitespaces) }
        .first { $0.hasPrefix("Screen.") } ?? String(row)
    }
    #expect(responsible("strong reference: set") == "Screen.strong.setter")
    #expect(responsible("weak reference: set") == "Screen.weakly.setter")
    #expect(responsible("unowned reference: set") == "Screen.unownedly.setter")
    #expect(responsible("unowned(unsafe) reference: set") == "Screen.unsafely.setter")
    #expect(responsible("unowned reference: clear") == "Screen.unownedly.setter")
  }

  @Test(
    "The history names the object that has a reference, and the report the one used to reach a dead object")
  func owner() throws {
    let history = try lifeline(["history", "Target#1"], about: ["lost-property"])
    let references = history.split(separator: "\n").compactMap {
      $0.firstMatch(of: /unowned\(unsafe\) reference: \w+ [\w#.]+/)?.output
    }
    #expect(
      references == [
        "unowned(unsafe) reference: set Screen#2.unsafely", "unowned(unsafe) reference: message Screen#2.unsafely",
        "unowned(unsafe) reference: lost Screen#2.unsafely",
      ])
    let report = try lifeline(["report"], about: ["lost-property"])
    #expect(
      report.contains(
        "Screen.greet() sent it a message through Screen#2.unsafely, an unowned(unsafe) reference (event "))
  }

  @Test("A reference set while its owner is initialized is named as soon as a later event gives its name")
  func initialized() throws {
    let history = try lifeline(["history", "Target#1"], about: ["initialized"])
    let references = history.split(separator: "\n").compactMap {
      $0.firstMatch(of: /strong reference: \w+ [\w#.]+/)?.output
    }
    #expect(references == ["strong reference: set Frame.target", "strong reference: load Frame#1.target"])
  }
}
