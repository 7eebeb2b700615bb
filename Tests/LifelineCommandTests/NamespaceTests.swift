import Foundation
import LifelineTestSupport
import Testing

/// Programs in their own namespaces, with the filter and the capabilities of Docker's defaults
/// (`Tests/Sandbox/container.c`).
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct NamespaceTests {
  private static let source = """
    import Glibc
    final class Node { var next: Node? }
    final class Kept { var number = 1 }
    final class Passing { var number = 1 }
    let kept = Kept()
    @inline(never) func leak() { let node = Node(); node.next = node }
    @inline(never) func work() -> Int { Passing().number + kept.number - 1 }
    leak()
    print("ready")
    fflush(stdout)
    while CommandLine.arguments.count > 1 { usleep(UInt32(work()) * 5_000) }
    """

  static let areAllowed: Bool = {
    guard let path = try? container() else { return true }
    return (try? CommandResult.run(path, ["/bin/true"]).status) == 0
  }()

  private static func container() throws -> String {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Sandbox/container.c"), encoding: .utf8)
    return try TestProgram(source, options: ["-O1"], file: "container.c", compiler: "clang").path
  }

  /// Prints each command's output and its status: "leaks 1".
  private static func script(_ program: String, with lifeline: String) -> String {
    """
    '\(program)' run > out & process=$!
    until grep -q ready out || ! kill -0 $process; do sleep 0.05; done
    '\(lifeline)' leaks $process; echo "leaks $?"
    '\(lifeline)' why $process Kept; echo "why $?"
    '\(lifeline)' attach $process -q --no-wait -o trace; echo "attach $?"
    sleep 0.5
    '\(lifeline)' detach $process -q; echo "detach $?"
    kill $process
    '\(lifeline)' objects trace
    """
  }

  private static let leak = """
    1. Retain cycle; 1 object, 24 bytes

      program.Node.next
        program.Node
    """

  @Test(
    "In a container, a leak is found when the program ends",
    .enabled(if: areAllowed, "needs user namespaces"))
  func end() throws {
    let program = try TestProgram(Self.source).path, container = try Self.container()
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        container, [BuiltPackage.lifeline, "leaks", "-f", "--", program], folder: folder)
      #expect(result.status == 1 && result.output.contains(Self.leak), "\(result)")
    }
  }

  @Test(
    "A leak is found when a program ends whose numbers of processes and threads are its namespace's",
    .enabled(if: areAllowed, "needs user namespaces"))
  func numbers() throws {
    let program = try TestProgram(Self.source).path
    try withTemporaryFolder { folder in
      let result = try lifeline(["leaks", "--", "unshare", "-r", "-p", "-f", program], in: folder)
      #expect(result.status == 1 && result.output.contains(Self.leak), "\(result)")
    }
  }

  @Test(
    "In a container, leaks and why examine a running process, and attach records it",
    .enabled(if: areAllowed, "needs user namespaces"))
  func inside() throws {
    let program = try TestProgram(Self.source).path, container = try Self.container()
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        container, ["/bin/sh", "-c", Self.script(program, with: BuiltPackage.lifeline)], folder: folder)
      #expect(result.output.contains(Self.leak))
      #expect(result.output.contains("global variable kept of program"))
      for answer in ["leaks 1", "why 0", "attach 0", "detach 0", "Passing#1"] {
        #expect(result.output.contains(answer), "\(answer): \(result)")
      }
    }
  }

  @Test(
    "From outside a container, leaks and why work, and recording is left to a lifeline inside it",
    .enabled(if: areAllowed, "needs user namespaces"))
  func outside() throws {
    let program = try TestProgram(Self.source).path, container = try Self.container()
    try withTemporaryFolder { folder in
      let output = "\(folder)/out"
      let process = try TestProcess(
        container, [program, "run"], folder: folder, output: output, limit: .seconds(300))
      defer { process.send(SIGKILL) }
      while try !String(contentsOfFile: output, encoding: .utf8).contains("ready") { usleep(20_000) }
      let children = "/proc/\(process.identifier)/task/\(process.identifier)/children"
      let first = try String(contentsOfFile: children, encoding: .utf8).split(separator: " ").first
      let child = String(try #require(first))
      let leaks = try CommandResult.run(BuiltPackage.lifeline, ["leaks", child], folder: folder)
      #expect(leaks.status == 1 && leaks.output.contains(Self.leak), "\(leaks)")
      let why = try CommandResult.run(BuiltPackage.lifeline, ["why", child, "Kept"], folder: folder)
      #expect(why.status == 0 && why.output.contains("global variable kept of program"), "\(why)")
      let attach = try CommandResult.run(BuiltPackage.lifeline, ["attach", child, "--no-wait"], folder: folder)
      #expect(attach.status == 2 && attach.errors.contains("runs in another PID namespace"), "\(attach)")
    }
  }
}
