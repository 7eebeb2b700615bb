import Foundation
import LifelineTestSupport
import Testing

/// Runs with more than one process, all of which are part of the same report.
@Suite(.startsPrograms) struct RunOfProcessesTests {
  static let source = """
    import Glibc
    final class Node { var value = 1 }
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(nil, "fork")!, to: Fork.self)
    func misuse() {
      let node = Unmanaged.passRetained(Node())
      node.release()
      node.release()
    }
    let word = CommandLine.arguments[1]
    let nodes = (0..<5).map { _ in Node() }
    if word == "fork" {
      let child = fork()
      if child == 0 {
        misuse()
        _exit(0)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
    }
    if word == "exec" {
      misuse()
      var words = [strdup(CommandLine.arguments[0]), strdup("last"), nil]
      execv("/proc/self/exe", &words)
    }
    exit(nodes.count == 5 ? 0 : 1)
    """

  @Test(
    "Findings of a forked child, and of the program before an exec, count for the run", .timeLimit(.minutes(60)),
    arguments: ["fork", "exec"])
  func allTracesCount(_ how: String) throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      let result = try lifeline(
        ["check", "--on-use-after-free", "continue", "--also", "json=r.json", "--", program.path, how], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains(" in 2 processes; 0 lost\nVerdict: 1 finding\n"))
      #expect(result.output.contains("  In the process program (process "))
      let report =
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: "\(folder)/r.json")))
        as? [String: Any]
      let processes = try #require(report?["processes"] as? [[String: Any]])
      #expect(processes.map { $0["findings"] as? Int } == (how == "fork" ? [0, 1] : [1, 0]))
      let findings = try #require(report?["findings"] as? [[String: Any]])
      #expect(findings.map { $0["process"] as? Int } == [how == "fork" ? 1 : 0])
    }
  }

  @Test(
    "A program is recognized without --, and only its own earlier report is replaced", .timeLimit(.minutes(60)))
  func outputs() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      let arguments = ["check", "--also", "json=r.json", program.path, "last"]
      try #expect(lifeline(arguments, in: folder).status == 0)
      try #expect(lifeline(arguments, in: folder).status == 0, "it replaces its own report")
      try "a diary".write(toFile: "\(folder)/r.json", atomically: true, encoding: .utf8)
      let refused = try lifeline(arguments, in: folder)
      #expect(
        refused
          == CommandResult(
            output: "", errors: "lifeline: The file r.json already exists; use --force to replace it.\n", status: 2))
      try #expect(String(contentsOfFile: "\(folder)/r.json", encoding: .utf8) == "a diary")
      let missing = try lifeline(["check", "--report", "no/r.txt", "--", program.path, "last"], in: folder)
      #expect(
        missing.status == 2
          && missing.errors == "lifeline: There is no folder no for no/r.txt; create it, or name another file.\n")
      let nothing = try lifeline(["check", "nowhere"], in: folder)
      #expect(
        nothing
          == CommandResult(
            output: "",
            errors:
              "lifeline: There is no trace nowhere. To check a program, put -- before it: lifeline check -- nowhere\n",
            status: 2))
    }
  }

  @Test("Output that cannot be written is a failure", .timeLimit(.minutes(60)))
  func fullDevice() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path, "last"], in: folder).status == 0)
      for command in ["report t", "history t 'Node#1'", "check t"] {
        let result = try CommandResult.run(
          "/bin/sh", ["-c", "'\(BuiltPackage.lifeline)' \(command) > /dev/full"], folder: folder)
        #expect(result.status == 2, "\(command)")
        #expect(result.errors.contains("lifeline: cannot write the output: No space left on device\n"))
      }
    }
  }

  @Test("A misspelled command is rejected with the correct one", .timeLimit(.minutes(60)))
  func misspelt() throws {
    let result = try lifeline(["chekc", "t"], in: "/")
    #expect(
      result
        == CommandResult(
          output: "",
          errors: "lifeline: there is no command 'chekc'. Did you mean 'check'? 'lifeline --help' lists them.\n",
          status: 64))
  }
}
