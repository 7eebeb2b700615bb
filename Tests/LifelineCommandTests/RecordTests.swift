import Foundation
import LifelineTestSupport
import Testing

/// Runs the command line in a folder.
func lifeline(_ arguments: [String], in folder: String, environment: [String: String] = [:]) throws -> CommandResult {
  try CommandResult.run(
    BuiltPackage.lifeline, arguments,
    environment: ["SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"].merging(environment) { $1 }, folder: folder)
}

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct RecordTests {
  static let source = """
    import Glibc
    final class Node { var next: Node?; var value = 1 }
    let nodes = (0..<10).map { _ in Node() }
    print(nodes.count, CommandLine.arguments.dropFirst().joined(separator: ","))
    switch CommandLine.arguments.last {
    case "seven": exit(7)
    case "killed": kill(getpid(), SIGKILL)
    default: break
    }
    """

  @Test("record passes on output, arguments and status, and names the trace and the next command")
  func success() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      let result = try lifeline(["record", "-o", "a.lifeline", program.path, "-x", "--output", "seven"], in: folder)
      #expect(result.output == "10 -x,--output,seven\n")
      #expect(result.status == 7)
      #expect(result.errors.contains(" events of 10 objects in a.lifeline ("))
      #expect(result.errors.hasSuffix("next: lifeline report a.lifeline\n"))
      let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/a.lifeline")[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let report = try lifeline(["report", "a.lifeline"], in: folder)
      #expect(report.status == 0 && report.errors == "")
      #expect(report.output.contains("exited with status 7"))
    }
  }

  @Test("A program killed by a signal exits with 128 + its number, and the trace says so")
  func signals() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      let result = try lifeline(["record", "-q", "-o", "a.lifeline", program.path, "killed"], in: folder)
      #expect(result.status == 137 && result.errors == "")
      let report = try lifeline(["report", "a.lifeline"], in: folder)
      #expect(report.output.contains("was ended by SIGKILL"))
    }
  }

  @Test("An output that exists, is a link or has no folder is rejected before the program starts")
  func outputs() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      try "precious".write(toFile: "\(folder)/there", atomically: true, encoding: .utf8)
      let exists = try lifeline(["record", "-o", "there", program.path], in: folder)
      let refusal = CommandResult(
        output: "",
        errors: "lifeline: The file \(folder)/there already exists and is not a trace; choose another with --output.\n",
        status: 2)
      #expect(exists == refusal)
      try #expect(lifeline(["record", "--force", "-o", "there", program.path], in: folder) == refusal)
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "there")
      let link = try lifeline(["record", "--force", "-o", "link", program.path], in: folder)
      #expect(
        link
          == CommandResult(
            output: "", errors: "lifeline: \(folder)/link is a symbolic link; choose another file.\n",
            status: 2))
      try #expect(String(contentsOfFile: "\(folder)/there", encoding: .utf8) == "precious")
      let nowhere = try lifeline(["record", "-o", "no/where", program.path], in: folder)
      #expect(
        nowhere
          == CommandResult(
            output: "",
            errors:
              "lifeline: There is no folder \(folder)/no for the trace; create it, or choose another with --output.\n",
            status: 2))
      try #expect(lifeline(["record", "-q", "-o", "trace", program.path], in: folder).status == 0)
      let again = try lifeline(["record", "-q", "-o", "trace", program.path], in: folder)
      #expect(
        again
          == CommandResult(
            output: "", errors: "lifeline: The file \(folder)/trace already exists; use --force to replace it.\n",
            status: 2))
      try #expect(lifeline(["record", "-q", "-f", "-o", "trace", program.path], in: folder).status == 0)
      try #expect(lifeline(["report", "trace"], in: folder).status == 0)
    }
  }

  @Test("A trace cannot replace its own program", .timeLimit(.minutes(60)))
  func outputNamedAsProgram() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      try program.copy(to: "\(folder)/prog")
      let result = try lifeline(["record", "-f", "-o", "%e", "./prog", "seven"], in: folder)
      #expect(result.output == "10 seven\n" && result.status == 7)
      #expect(
        result.errors.hasPrefix(
          "lifeline: \(folder)/prog exists and is not a trace; nothing is recorded (use another --output)\n"))
      #expect(FileManager.default.contentsEqual(atPath: "\(folder)/prog", andPath: program.path))
    }
  }

  @Test("An empty file, as an interrupted start leaves behind, can be replaced, and does not prevent a recording")
  func emptyFile() throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      func empty() throws { try "".write(toFile: "\(folder)/trace", atomically: true, encoding: .utf8) }
      try empty()
      let refusal = "lifeline: The file \(folder)/trace already exists; use --force to replace it.\n"
      try #expect(lifeline(["record", "-q", "-o", "trace", program.path], in: folder).errors == refusal)
      try #expect(lifeline(["record", "-q", "-f", "-o", "trace", program.path], in: folder).status == 0)
      try #expect(lifeline(["report", "trace"], in: folder).status == 0)
      // Another process may be about to write its header.
      try empty()
      let environment = ["LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=trace:force"]
      let run = try CommandResult.run(program.path, [], environment: environment, folder: folder)
      #expect(run.errors == "" && run.status == 0)
      let traces = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("trace.") }
      try #expect(traces.count == 1 && lifeline(["report", #require(traces.first)], in: folder).status == 0)
    }
  }

  @Test("Disk space that children reserved for traces and did not use is released", .timeLimit(.minutes(60)))
  func children() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      var kept = [Node()]
      for _ in 0..<30 {
        if fork() == 0 { kept.append(Node()); _exit(0) }
        wait(nil)
      }
      print(kept.count)
      """
    let program = try TestProgram(source)
    try withTemporaryFolder { folder in
      try #expect(
        lifeline(["record", "-q", "-o", "trace", program.path], in: folder)
          == CommandResult(output: "1\n", errors: "", status: 0))
      let traces = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(traces.count == 31)
      for name in traces {
        var status = stat()
        #expect(stat("\(folder)/\(name)", &status) == 0)
        #expect(status.st_blocks * 512 < 100_000, "\(name) takes \(status.st_blocks * 512) bytes")
      }
    }
  }

  @Test(
    "A program that reruns itself through env has a trace for each run, with or without a session",
    .timeLimit(.minutes(60)))
  func selfExec() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      print(Node().value, CommandLine.arguments.count)
      fflush(stdout)
      if CommandLine.arguments.count < 3 {
        var words: [UnsafeMutablePointer<CChar>?] = \
      (["/usr/bin/env"] + CommandLine.arguments + ["again"]).map { strdup($0) } + [nil]
        execv(words[0]!, &words)
      }
      """
    let program = try TestProgram(source)
    try withTemporaryFolder { folder in
      let expected = CommandResult(output: "1 1\n1 2\n1 3\n", errors: "", status: 0)
      let environment = ["LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/trace"]
      try #expect(
        CommandResult.run(
          program.path, environment: environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }, folder: folder)
          == expected)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
      try #expect(lifeline(["record", "-q", "-o", "other", program.path], in: folder) == expected)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 6)
      let told = try lifeline(["record", "-o", "third", program.path], in: folder).errors
      let said = "lifeline: also recorded the process before it ran another program: third"
      #expect(told.components(separatedBy: said).count == 3, "\(told)")
    }
  }

  @Test("A program that cannot be started is named, with status 127")
  func unstartable() throws {
    try withTemporaryFolder { folder in
      let missing = try lifeline(["record", "./nothing"], in: folder)
      #expect(missing == CommandResult(output: "", errors: "lifeline: There is no program ./nothing.\n", status: 127))
      let unknown = try lifeline(["record", "no-such-program"], in: folder)
      #expect(
        unknown
          == CommandResult(
            output: "", errors: "lifeline: There is no program 'no-such-program' in PATH.\n", status: 127))
      try "text".write(toFile: "\(folder)/text", atomically: true, encoding: .utf8)
      let forbidden = try lifeline(["record", "./text"], in: folder)
      #expect(
        forbidden
          == CommandResult(
            output: "", errors: "lifeline: The program ./text cannot be run: permission denied.\n", status: 127))
      try #expect(
        lifeline(["record", folder], in: folder).errors == "lifeline: \(folder) is a folder, not a program.\n")
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["text"])
    }
  }

  @Test("Invalid usage exits with 64")
  func usage() throws {
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record"], in: folder).status == 64)
      try #expect(lifeline(["record", "--frames", "0", "/bin/true"], in: folder).status == 64)
      try #expect(lifeline(["report", "--format", "haiku", "x"], in: folder).status == 64)
      try #expect(lifeline(["check"], in: folder).status == 64)
    }
  }

  @Test("A program that is not Swift runs as usual, and nothing is recorded")
  func notSwift() throws {
    try withTemporaryFolder { folder in
      let result = try lifeline(["record", "/bin/echo", "hello"], in: folder)
      #expect(result.output == "hello\n" && result.status == 0)
      #expect(
        result.errors
          == "lifeline: nothing was recorded. /bin/echo started without the Swift runtime, and no process that it "
          + "started was recorded; a runtime loaded later (dlopen) is not noticed.\n"
      )
    }
  }

  @Test("The summary of a flight recording counts the events and objects that its report counts")
  func summaryOfRing() throws {
    try withTemporaryFolder { folder in
      let program = BuiltPackage.buildFolder.appendingPathComponent("lifeline-workloads").path
      let recorded = try lifeline(
        ["record", "--keep", "2MiB", "-o", "app.lifeline", program, "allocation", "--count", "100000"], in: folder)
      let report = try lifeline(["report", "app.lifeline"], in: folder)
      let counts = /(\d+) events of (\d+) objects/
      let summary = try #require(recorded.errors.firstMatch(of: counts))
      let reported = try #require(report.output.filter { $0 != "," }.firstMatch(of: counts))
      #expect(summary.1 == reported.1 && summary.2 == reported.2)
      #expect(report.output.contains("discarded"))
    }
  }
}
