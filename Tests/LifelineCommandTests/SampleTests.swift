import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

@Suite("check --sample", .startsPrograms, .timeLimit(.minutes(60))) struct SampleCommandTests {
  private static let source = """
    final class Node { var value = 1 }
    final class Job { func run() {} }
    let nodes = (0..<4000).map { _ in Node() }
    // An unowned reference keeps the memory, so that retaining an object outside the sample does no harm.
    struct Reference { unowned let job: Job; let unmanaged: Unmanaged<Job> }
    @inline(never) func drop() -> [Reference] {
      let jobs = (0..<200).map { _ in Job() }
      return jobs.map { Reference(job: $0, unmanaged: Unmanaged.passUnretained($0)) }
    }
    if CommandLine.arguments.count > 1 { for reference in drop() { _ = reference.unmanaged.retain() } }
    print(nodes.count)
    """

  private func check(_ options: [String], _ arguments: [String] = [], in folder: String) throws -> (
    status: Int32, output: String
  ) {
    let program = try TestProgram(Self.source, options: ["-Onone", "-module-name", "App"])
    let result = try CommandResult.run(
      BuiltPackage.lifeline, ["check"] + options + ["--", program.path] + arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
    return (result.status, result.output)
  }

  @Test("A sample without findings gives no verdict, says that it is a sample and scales its totals")
  func noVerdict() throws {
    try withTemporaryFolder { folder in
      let (status, output) = try check(["--sample", "1/8", "--no-zombies"], in: folder)
      #expect(status == 3)
      #expect(
        output.contains(
          "; a sample, one object in 8\nVerdict: no verdict: One object in 8 was recorded (--sample), "
            + "which says nothing about others.\n"
        ))
      #expect(output.contains("allocated in all"))
      let row = try #require(
        output.firstMatch(of: /App\.Node +([0-9,]+) .* ([0-9,]+) ± ([0-9,]+) +([0-9,]+) ± ([0-9,]+)\n/))
      let numbers = [row.1, row.2, row.3].map { Int($0.replacing(",", with: "")) ?? -1 }
      try #expect(check(["--sample", "1/8"], in: folder).output.contains("allocated in all"))
      // Where the address decides, the objects at it are in the sample together, and its error is unknown.
      let limited = try check(["--sample", "1/8", "--max-overhead", "100%"], in: folder).output
      #expect(
        limited.contains("chosen by its address (--sample), with its whole history. Numbers are those of the sample."))
      #expect(!limited.contains("allocated in all"))
      #expect(numbers[1] == numbers[0] * 8 && abs(numbers[1] - 4000) < 6 * numbers[2])
    }
  }

  @Test("A sample can show findings and broken contracts, but cannot show that a contract is kept")
  func findings() throws {
    try withTemporaryFolder { folder in
      try "App.Node: max-live 10\n".write(toFile: "\(folder)/broken", atomically: true, encoding: .utf8)
      try "App.Node: max-live 4000\n".write(toFile: "\(folder)/kept", atomically: true, encoding: .utf8)
      try #expect(check(["--sample", "1/8"], ["use"], in: folder).status == 1)
      try #expect(check(["--sample", "1/8", "--contract", "broken"], in: folder).status == 1)
      let kept = try check(["--sample", "1/8", "--contract", "kept"], in: folder)
      #expect(
        kept.status == 3 && kept.output.contains("App.Node: max-live 4000: Of the sample, one object in 8: At most "))
      #expect(!kept.output.contains("kept   "))
    }
  }

  @Test(
    "A sample that is not a fraction, or is given with incompatible options, is a usage error",
    arguments: [
      ["--sample", "64"], ["--sample", "1/0"], ["--sample", "2/3"], ["--sample", "1/8", "--guard", "A"],
      ["--sample", "1/8", "--two-steps"],
    ])
  func usage(_ options: [String]) throws {
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check"] + options + ["--", "/bin/true"], folder: folder)
      #expect(result.status == 64)
    }
  }
}
