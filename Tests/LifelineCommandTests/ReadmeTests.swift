import Foundation
import LifelineTestSupport
import Testing

/// Runs the README's commands verbatim.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ReadmeTests {
  private func follow(_ page: String? = nil) throws -> CommandResult {
    let script = BuiltPackage.root.appendingPathComponent("Scripts/prove-readme").path
    return try CommandResult.run(
      script, ["--built", BuiltPackage.buildFolder.path] + (page.map { ["--page", $0] } ?? []), limit: .seconds(900))
  }

  @Test("The shell blocks of the README run verbatim in a fresh clone")
  func readme() throws {
    let result = try follow()
    #expect(result.status == 0, "\(result.output.suffix(3000))\(result.errors.suffix(3000))")
    #expect(result.output.contains(" of README.md ran as it says\n"))
  }

  @Test(
    "A command that fails, or succeeds against the page, is named with its line",
    arguments: [
      ("true\nfalse", "page.md:3: status 1, not 0"), ("true   # exits 1", "page.md:2: status 0, not 1"),
      ("exit 0", "page.md does not run as it stands"), ("cat <<END", "the command at line 2 is not complete"),
    ])
  func failure(_ commands: String, _ message: String) throws {
    try withTemporaryFolder { folder in
      try "```sh\n\(commands)\n```\n".write(toFile: "\(folder)/page.md", atomically: true, encoding: .utf8)
      let result = try follow("\(folder)/page.md")
      #expect(result.status == 1 && result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test("A page without a shell block is an error, because nothing was proven")
  func nothing() throws {
    try withTemporaryFolder { folder in
      try "# Title\n```\nsome text\n```\n".write(toFile: "\(folder)/page.md", atomically: true, encoding: .utf8)
      try #expect(follow("\(folder)/page.md").errors == "prove-readme: page.md has no block fenced as sh\n")
    }
  }

  @Test("All blocks of a page run in one shell, in the clone that they make")
  func success() throws {
    try withTemporaryFolder { folder in
      try """
      ```sh
      git clone --quiet https://example.org/someone/lifeline
      cd lifeline
      swift build          # everything
      ```
      Then:
      ```sh
      .build/debug/lifeline run --list > list
      grep -c '^No such' list    # exits 1
      cat <<END
      $(wc -c < README.md)
      END
      ```

      """.write(toFile: "\(folder)/page.md", atomically: true, encoding: .utf8)
      let result = try follow("\(folder)/page.md")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.hasSuffix("prove-readme: 6 commands of page.md ran as it says\n"))
    }
  }
}
