import Foundation
import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct RunTests {
  @Test("The list names each scenario with its article and variants")
  func list() throws {
    let result = try lifeline(["run", "--list"], in: BuiltPackage.root.path)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("DelayedDeallocation: "))
    #expect(result.output.contains("(unowned-unsafe-delegate.txt)\n    buggy"))
  }

  @Test("One variant runs by name, and the table shows what was expected and found")
  func variant() throws {
    let result = try lifeline(["run", "ParasiteRace", "--variant", "associated-parasite"], in: BuiltPackage.root.path)
    #expect(
      result.output == """
        scenario      variant              expected                                       found
        ParasiteRace  associated-parasite  use-after-free Title#1, use-after-free Page#1  use-after-free Title#1, \
        use-after-free Page#1  ok

        The variant was as expected.

        """)
    #expect(result.status == 0)
  }

  @Test(
    "A scenario that cannot be run is an error with a status",
    arguments: [
      (["run"], 64, "Give a scenario, --all or --list."),
      (["run", "--all", "DelayedDeallocation"], 64, "Give scenarios or --all, not both."),
      (["run", "Nowhere"], 2, "No scenario named 'Nowhere'; 'lifeline run --list' lists them."),
      (["run", "--all", "--variant", "nowhere"], 2, "None of these scenarios has the variant nowhere"),
      (["run", "--all", "--from", "/nowhere"], 2, "There is no executable /nowhere."),
      (["run", "--all", "--from", "/bin/true"], 2, "did not print a list of scenarios."),
      (["run", "--all", "--from", "/bin/false"], 2, "did not list its scenarios."),
    ])
  func mistakes(_ arguments: [String], _ status: Int32, _ sentence: String) throws {
    let result = try lifeline(arguments, in: BuiltPackage.root.path)
    #expect(result.status == status)
    #expect(result.errors.contains(sentence))
  }
}
