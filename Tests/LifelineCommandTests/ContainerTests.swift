import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// Programs under system call filters: their own, or those of a container, which also apply to `lifeline`.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ContainerTests {
  private static let source = """
    final class Node { var next: Node? }
    @inline(never) func leak() { let node = Node(); node.next = node }
    leak()
    print("end")
    """

  /// The result of `check` for a program; `inside` is a command that starts `lifeline`.
  private func check(_ arguments: [String], inside: [String] = []) throws -> (status: Int32, report: Report) {
    try withTemporaryFolder { folder in
      let command = [
        BuiltPackage.lifeline, "check", "--format", "json", "--report", "report", "--fail-on", "leak", "--",
      ]
      let words = inside + command + arguments
      let result = try CommandResult.run(words[0], Array(words.dropFirst()), folder: folder)
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/report"))
      return (result.status, try JSONDecoder().decode(Report.self, from: data))
    }
  }

  private func deny() throws -> String {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Sandbox/deny.c"), encoding: .utf8)
    return try TestProgram(source, options: ["-O1"], file: "deny.c", compiler: "clang").path
  }

  /// Whether this process has CAP_SYS_ADMIN, which root in a container lacks.
  private static let isPrivileged: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let capabilities = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return capabilities >> 21 & 1 != 0
  }()

  /// perf_event_open, which is not needed here, fails with EPERM.
  private static let refusal = ["298", "1"]

  @Test("In a container whose filter applies to lifeline and the program, leaks are found")
  func container() throws {
    let program = try TestProgram(Self.source, options: ["-Onone"]).path, deny = try deny()
    // An unprivileged process must give up new privileges before it sets a filter, and then leaks are not searched for.
    let isPrivileged = Self.isPrivileged
    let (status, report) = try check([program], inside: [deny] + (isPrivileged ? ["container"] : []) + Self.refusal)
    #expect(report.findings.map(\.kind) == (isPrivileged ? ["leak"] : []))
    #expect(status == (isPrivileged ? 1 : 3) && report.heap?.isExamined == isPrivileged)
  }

  @Test("A filter installed by the program itself is left alone, also in a container, and gives no verdict")
  func ownFilter() throws {
    let program = try TestProgram(Self.source, options: ["-Onone"]).path, deny = try deny()
    let container = Self.isPrivileged ? [deny, "container"] + Self.refusal : []
    for inside in [[], container] {
      let (status, report) = try check([deny] + Self.refusal + [program], inside: inside)
      #expect(status == 3 && report.verdict == "none" && report.findings.isEmpty)
      #expect(
        report.noVerdictReason?.hasPrefix("Leaks were not looked for: ") == true, "\(report.noVerdictReason ?? "")")
    }
  }

  @Test("Where leaks cannot be searched for, the verdict says so, and the status is that of a clean run")
  func notLookedFor() throws {
    let program = try TestProgram(Self.source, options: ["-Onone"]).path
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--report", "report", "--", deny()] + Self.refusal + [program], in: folder)
      let report = try String(contentsOfFile: folder + "/report", encoding: .utf8)
      #expect(result.status == 0 && report.contains("Verdict: clean (leaks were not looked for)\n"), "\(report)")
    }
  }

  @Test("A program that may not ask for its process number ends as it does unrecorded, and the report is written")
  func noProcessNumber() throws {
    let program = try TestProgram("final class Node {}; _ = Node(); print(\"end\")", options: ["-Onone"]).path
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--report", "report", "--", deny(), "39", "1", program], in: folder)
      #expect(result.status == 0 && result.output == "end\n", "\(result.errors)")
      #expect(try String(contentsOfFile: folder + "/report", encoding: .utf8).contains("Verdict: clean"))
    }
  }
}
