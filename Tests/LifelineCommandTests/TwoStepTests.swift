import Foundation
import LifelineReporting
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite("check --two-steps", .startsPrograms, .timeLimit(.minutes(60))) struct TwoStepTests {
  /// Does what its argument says, and writes a line to the file "runs" each time it runs.
  private static let source = """
    import Dispatch
    import Glibc
    class Named { var text = "x"; init() {} }
    final class Job: Named { func run() { text += "y" } }
    final class Service { var job: Job? = Job() }
    final class Bystander { var next: Bystander? }
    final class Monitor {
      unowned(unsafe) var job: Job
      init(_ job: Job) { self.job = job }
      @inline(never) func check() { job.run() }
    }
    let runs = fopen("runs", "a")!
    fputs("run\\n", runs)
    fclose(runs)
    let bystanders = (0..<5).map { _ in Bystander() }
    let again = bystanders + bystanders
    let service = Service()
    let monitor = Monitor(service.job!)
    @inline(never) func drop() { service.job = nil }
    @inline(never) func use() { drop(); monitor.check() }
    @inline(never) func hold(_ job: Job) -> DispatchSemaphore {
      let done = DispatchSemaphore(value: 0)
      DispatchQueue(label: "later").asyncAfter(deadline: .now() + 0.02) { job.run(); done.signal() }
      return done
    }
    switch CommandLine.arguments.last {
    case "use": use()
    case "first": if access("marker", F_OK) != 0 { close(creat("marker", 0o600)); use() }
    case "read": if readLine() == "bad" { use() }
    case "told": use(); raise(SIGTERM)
    case "late":
      let done = hold(service.job!)
      drop()
      monitor.check()
      done.wait()
      usleep(20_000)
    default: break
    }
    print("end", again.count)
    """

  private struct Checked {
    let result: CommandResult
    let report: Report?
    let runs: Int
  }

  private func check(_ options: [String], _ mode: String, in folder: String, input: String = "</dev/null") throws
    -> Checked
  {
    let program = try TestProgram(Self.source, options: ["-g", "-Onone", "-module-name", "App"])
    let words =
      [BuiltPackage.lifeline, "check", "--format", "json", "--report", "r.json", "-f"] + options + [
        "--", program.path, mode,
      ]
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let environment = ["SWIFT_BACKTRACE": "enable=no"]
    let result = try CommandResult.run(
      "/bin/sh", ["-c", input.hasPrefix("<") ? "\(line) \(input)" : "\(input) | \(line)"], environment: environment,
      folder: folder)
    let data = FileManager.default.contents(atPath: "\(folder)/r.json")
    let runs = FileManager.default.contents(atPath: "\(folder)/runs")?.count { $0 == UInt8(ascii: "\n") } ?? 0
    return Checked(result: result, report: try data.map { try JSONDecoder().decode(Report.self, from: $0) }, runs: runs)
  }

  @Test("What only the second run shows is counted in the sentence about it")
  func more() throws {
    let example = BuiltPackage.root.appendingPathComponent("Examples/DelayedDeallocation.swift")
    let program = try TestProgram(String(contentsOf: example, encoding: .utf8))
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "--two-steps", "--", program.path], folder: folder)
      #expect(result.status == 1)
      #expect(result.output.contains(": it showed the same, and 1 warning.\n"), "\(result.output.prefix(800))")
    }
  }

  @Test("A second run explains a use after free as well as one run at full depth")
  func explained() throws {
    try withTemporaryFolder { folder in
      let full = try check(["--depth", "full"], "use", in: folder)
      let steps = try check(["--two-steps", "-o", "t.lifeline"], "use", in: folder)
      #expect(full.result.status == 1 && steps.result.status == 1)
      #expect(steps.runs == 1 + 2)
      let expected = try #require(full.report?.findings.first), found = try #require(steps.report?.findings.first)
      #expect(steps.report?.findings.count == 1)
      #expect(
        found.fingerprint == expected.fingerprint && found.kind == expected.kind && found.access == expected.access)
      #expect(found.backtraces.map(\.role) == expected.backtraces.map(\.role))
      #expect(found.holds.map(\.holder) == expected.holds.map(\.holder))
      #expect(steps.report?.steps?.map(\.depth) == ["lives", "full"])
      #expect(steps.report?.steps?.last?.classes == ["App.Job", "App.Monitor"])
      #expect(
        steps.report?.steps?.last?.sentence == "Run 2, at full depth for App.Job, App.Monitor: it showed the same.")
      #expect(
        steps.result.errors.contains(
          "lifeline: running the program again, at full depth for App.Job, App.Monitor; its output is not shown\n"))
      // Allocations and ends of the other classes are still in the table, without retains.
      let classes = try #require(steps.report?.classes)
      #expect(classes.first { $0.name == "App.Bystander" }?.allocated == 5)
      #expect(classes.first { $0.name == "App.Bystander" }?.isCounted == false)
      #expect(classes.first { $0.name == "App.Job" }?.isCounted == nil)
      let trace = try Trace(path: "\(folder)/t.lifeline")
      #expect(trace.recording.depth == .full && trace.classesWithoutRetains.contains("App.Service"))
      let history = try CommandResult.run(
        BuiltPackage.lifeline, ["history", "t.lifeline", "Service#1"], folder: folder)
      #expect(
        history.output.hasSuffix(
          "Retains and releases of App.Service were not recorded, so its holders are unknown; "
            + "--depth full without --retains records them.\n"
        ))
      #expect(!history.output.contains("Holders"))
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/t.lifeline.first"))
    }
  }

  @Test("If there is nothing to explain, there is one run, and its output appears once")
  func clean() throws {
    try withTemporaryFolder { folder in
      let checked = try check(["--two-steps", "-o", "t.lifeline", "--fail-on", "near-miss"], "", in: folder)
      #expect(checked.result.status == 0 && checked.runs == 1)
      #expect(checked.result.output == "end 10\n" && checked.result.errors == "")
      #expect(checked.report?.verdict == "clean")
      #expect(checked.report?.steps?.map(\.sentence) == ["One run, at depth lives: there was nothing to explain."])
      #expect(try Trace(path: "\(folder)/t.lifeline").recording.depth == .lives)
    }
  }

  @Test("Objects freed by a transient activity are examined in a second run, which finds the near miss")
  func late() throws {
    try withTemporaryFolder { folder in
      let checked = try check(["--two-steps", "--fail-on", "near-miss"], "late", in: folder)
      #expect(checked.result.status == 1 && checked.runs == 2)
      #expect(checked.result.output == "end 10\n")
      #expect(checked.report?.findings.contains { $0.kind == "near-miss" && $0.object.id == "Job#1" } == true)
      #expect(checked.report?.steps?.last?.classes?.contains("App.Job") == true)
      // Without a second run, nothing is claimed.
      let once = try check(["--once", "--fail-on", "near-miss"], "late", in: folder)
      #expect(once.result.status == 3 && once.runs == 3)
      #expect(
        once.report?.noVerdictReason
          == "--fail-on near-miss needs retains and releases, which --depth lives and --retains do not record.")
    }
  }

  @Test("An object that a function freed while an unowned property refers to it is examined in a second run")
  func local() throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Corpus/NearMisses/LocalVariable.swift"),
      encoding: .utf8)
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "NearMisses"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "--", program.path], folder: folder)
      #expect(result.status == 0)
      #expect(
        result.output.contains(
          "To explain: whether NearMisses.Document was used without an owner: a function freed objects.\n"))
      #expect(result.output.contains("near-miss   Document#1 was used while only Workspace.save() kept it alive\n"))
    }
  }

  @Test("A second run with other results is reported as such, and both traces are kept")
  func different() throws {
    try withTemporaryFolder { folder in
      let checked = try check(["--two-steps", "-o", "t.lifeline"], "first", in: folder)
      #expect(checked.result.status == 1 && checked.runs == 2)
      #expect(checked.result.errors.contains("the second run: it did not show the same: no use-after-free of Job#1"))
      #expect(checked.result.errors.contains("The first run's trace is kept as "))
      let finding = try #require(checked.report?.findings.first)
      #expect(finding.kind == "use-after-free")
      #expect(finding.explanation.last?.hasPrefix("Only the first run, at depth lives, showed this") == true)
      #expect(checked.report?.recording.remarks.contains { $0.contains("did not show the same") } == true)
      #expect(try Trace(path: "\(folder)/t.lifeline").recording.depth == .full)
      #expect(try Trace(path: "\(folder)/t.lifeline.first").recording.depth == .lives)
    }
  }

  @Test(
    "There is no second run with --once, a pipe or an interrupted program; a file as input is read again")
  func repetition() throws {
    try withTemporaryFolder { folder in
      let once = try check(["--once"], "use", in: folder)
      #expect(once.result.status == 1 && once.runs == 1)
      #expect(once.report?.recording.depth == "lives" && once.report?.steps == nil)
      let pipe = try check(["--two-steps"], "read", in: folder, input: "echo bad")
      #expect(pipe.result.status == 1 && pipe.runs == 2)
      #expect(
        pipe.result.errors.contains(
          "it was not run again to explain use-after-free of Job#1, because its standard input is a pipe, "
            + "which cannot be read twice. Use --depth full to explain in one run."
        ))
      let told = try check(["--two-steps", "--on-use-after-free", "continue"], "told", in: folder)
      #expect(told.result.status == 1 && told.runs == 3)
      #expect(
        told.report?.steps?.first?.sentence.hasSuffix(
          "because it was terminated. Use --depth full to explain in one run.") == true)
      try "bad\n".write(toFile: "\(folder)/input", atomically: true, encoding: .utf8)
      let file = try check(["--two-steps"], "read", in: folder, input: "<input")
      #expect(file.result.status == 1 && file.runs == 5)
      #expect(file.report?.steps?.last?.sentence.hasSuffix("it showed the same.") == true)
    }
  }

  @Test("Two steps are the default for a program, unless its input is a pipe or an option sets the depth")
  func byDefault() throws {
    try withTemporaryFolder { folder in
      let plain = try check([], "use", in: folder)
      #expect(plain.result.status == 1 && plain.runs == 2)
      #expect(plain.report?.steps?.map(\.depth) == ["lives", "full"])
      let pipe = try check([], "read", in: folder, input: "echo bad")
      #expect(pipe.result.status == 1 && pipe.runs == 3)
      #expect(pipe.report?.recording.depth == "full" && pipe.report?.steps == nil)
      let kept = try check(["--keep", "60s"], "use", in: folder)
      #expect(kept.runs == 4 && kept.report?.steps == nil && kept.report?.recording.depth == "full")
    }
  }

  @Test("A contract about holders is judged by the second run, but not without retains")
  func contract() throws {
    try withTemporaryFolder { folder in
      try "App.Service: holders only [nobody]\n".write(toFile: "\(folder)/c", atomically: true, encoding: .utf8)
      let full = try check(["--depth", "full", "--contract", "c"], "", in: folder)
      let steps = try check(["--two-steps", "--contract", "c"], "", in: folder)
      #expect(steps.runs == 1 + 2 && steps.result.status == full.result.status)
      #expect(steps.report?.gate?.contracts.map(\.result) == full.report?.gate?.contracts.map(\.result))
      #expect(steps.report?.steps?.last?.classes == ["App.Service"])
      let lives = try check(["--once", "--contract", "c"], "", in: folder)
      #expect(lives.result.status == 3)
      #expect(lives.report?.gate?.contracts.map(\.result) == ["unknown"])
      #expect(
        lives.report?.gate?.contracts.first?.sentence
          == "Retains and releases of App.Service were not recorded; --depth full without --retains records them.")
    }
  }

  @Test(
    "Options that contradict two steps are usage errors, and a trace cannot be repeated",
    arguments: [
      (["--two-steps", "--once", "--", "/bin/true"], 64), (["--two-steps", "--depth", "lives", "--", "/bin/true"], 64),
      (["--two-steps", "--retains", "A", "--", "/bin/true"], 64),
      (["--depth", "lives", "--retains", "A", "--", "/bin/true"], 64),
      (["--two-steps", "file"], 64),
    ] as [([String], Int32)])
  func usage(_ options: [String], _ status: Int32) throws {
    try withTemporaryFolder { folder in
      try "x".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
      let result = try CommandResult.run(BuiltPackage.lifeline, ["check"] + options, folder: folder)
      #expect(result.status == status)
    }
  }
}
