import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

@Suite("check --keep", .startsPrograms, .timeLimit(.minutes(60))) struct KeepCommandTests {
  private static let source = """
    final class Old { var value = 1 }
    final class Node { var value = 1 }
    final class Pair { var other: Pair? }
    nonisolated(unsafe) var last = Node()
    @inline(never) func lose() { let one = Pair(), two = Pair(); one.other = two; two.other = one }
    @inline(never) func churn(_ count: Int) { for number in 0..<count { last = Node(); last.value = number } }
    let old = Old()
    if CommandLine.arguments.count > 2 { lose() }
    churn(Int(CommandLine.arguments[1])!)
    print(last.value, old.value)
    """

  private func check(_ options: [String], _ arguments: [String], in folder: String) throws -> CommandResult {
    let program = try TestProgram(Self.source, options: ["-Onone", "-module-name", "App"])
    return try CommandResult.run(
      BuiltPackage.lifeline, ["check"] + options + ["--", program.path] + arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
  }

  @Test("A run that fits can be clean; one that does not never is, and the kept part is reported")
  func verdict() throws {
    try withTemporaryFolder { folder in
      let small = try check(["--keep", "64MiB"], ["100"], in: folder)
      #expect(small.status == 0 && small.output.contains("Verdict: clean"))
      let large = try check(["--keep", "2MiB"], ["200000"], in: folder)
      #expect(large.status == 3)
      #expect(
        large.output.contains(
          "Verdict: no verdict: The recording keeps only its latest part (--keep 2 MiB): from earlier, only live "
            + "objects and what was caught.\n"
        ))
      #expect(large.output.contains("; kept from "))
      #expect(large.output.contains("Older objects are known by class, allocation and count"))
    }
  }

  @Test("A leak from before the kept events is found with its allocation site")
  func leak() throws {
    try withTemporaryFolder { folder in
      try #expect(check(["--keep", "2MiB", "-o", "trace"], ["200000", "lose"], in: folder).status == 1)
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["report", "trace", "--format", "json"], folder: folder)
      let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
      let leak = try #require(report.findings.first { $0.kind == "leak" })
      #expect(leak.object.class == "App.Pair")
      #expect(
        leak.backtraces.contains { $0.role == "allocation" && $0.frames.contains { $0.function.contains("lose") } })
      #expect(report.recording.keep?.bytes == 2 << 20)
      #expect(report.recording.keep.map { $0.eventsGone > 100_000 && $0.since > 0 } == true)
    }
  }

  @Test("At a file size limit the program's status is returned, and the trace is whole")
  func fileSizeLimit() throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      // 1,024 bytes each.
      let result = try CommandResult.run(
        "/bin/bash",
        ["-c", "ulimit -f 3000; '\(BuiltPackage.lifeline)' record --keep 16MiB -o trace -- '\(program.path)' 900000"],
        environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
      #expect(result.status == 0 && result.output == "899999 1\n")
      #expect(
        result.errors.contains("The file size limit (ulimit -f) was reached: the trace keeps less than --keep."))
      let report = try CommandResult.run(BuiltPackage.lifeline, ["report", "trace"], folder: folder)
      #expect(!report.output.contains("damaged"), "\(report.output)")
    }
  }

  @Test("A contract that holds in the kept part is unknown, and one that breaks there is broken")
  func contracts() throws {
    try withTemporaryFolder { folder in
      try "App.Node: max-live 1\n".write(toFile: "\(folder)/broken", atomically: true, encoding: .utf8)
      try "App.Node: max-live 10\n".write(toFile: "\(folder)/kept", atomically: true, encoding: .utf8)
      try #expect(check(["--keep", "2MiB", "--contract", "broken"], ["200000"], in: folder).status == 1)
      let kept = try check(["--keep", "2MiB", "--contract", "kept"], ["200000"], in: folder)
      #expect(kept.status == 3 && kept.output.contains("App.Node: max-live 10: Of what the recording keeps: At most "))
    }
  }

  @Test("A history shows where the kept events begin")
  func history() throws {
    try withTemporaryFolder { folder in
      _ = try check(["--keep", "2MiB", "-o", "trace"], ["200000"], in: folder)
      let result = try CommandResult.run(BuiltPackage.lifeline, ["history", "trace", "Old#1"], folder: folder)
      #expect(result.status == 0 && result.output.contains("(events before this are not kept)"))
      #expect(result.output.contains("so who held it before and may still do so is unknown"))
      for command in ["history", "replay"] {
        let gone = try CommandResult.run(BuiltPackage.lifeline, [command, "trace", "Node#1"], folder: folder)
        #expect(
          gone
            == CommandResult(
              output: "",
              errors: "lifeline: The trace has no event of Node#1; objects freed before the part that "
                + "is kept (--keep) have none.\n", status: 2))
      }
      // A compact trace contains the ring unchanged.
      _ = try CommandResult.run(BuiltPackage.lifeline, ["compact", "trace", "-o", "small"], folder: folder)
      let compact = try CommandResult.run(BuiltPackage.lifeline, ["history", "small", "Old#1"], folder: folder)
      #expect(compact.output == result.output)
    }
  }

  @Test("Sizes with an unknown unit, and --two-steps, are usage errors")
  func usage() throws {
    try withTemporaryFolder { folder in
      try #expect(check(["--keep", "1MB"], ["100"], in: folder).status == 64)
      let small = try check(["--keep", "1MiB"], ["100"], in: folder)
      #expect(small.status == 64 && small.errors.contains("--keep takes a size from 2MiB to 256GiB, or a time"))
      try #expect(check(["--keep", "0s"], ["100"], in: folder).status == 64)
      let both = try check(["--keep", "60s", "--two-steps"], ["100"], in: folder)
      #expect(both.status == 64 && both.errors.contains("--two-steps needs all events; remove --keep."))
    }
  }
}
