import Foundation
import Glibc
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

/// Requests for something that does not exist: each gets a sentence that says so, never an empty answer.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct MisuseTests {
  private func withTrace(_ change: (inout [UInt8]) -> Void = { _ in }, _ body: (_ path: String) throws -> Void) throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10, 0x20], time: 1010, arguments: [1, 0])
      $0.add(5, 0x5000, at: [0x10, 0x31])
    }
    try builder.withFile({ change(&$0) }, body)
  }

  private func refusal(_ words: [String], in folder: String = "/") throws -> String {
    let result = try lifeline(words, in: folder)
    #expect(result.status == 2 && result.output == "", "\(result)")
    return result.errors
  }

  @Test(
    "A process ID given as a trace is answered with the commands for processes",
    arguments: ["report", "objects", "diff"])
  func process(_ verb: String) throws {
    let number = "\(getpid())"
    try #expect(
      refusal([verb, number] + (verb == "diff" ? [number] : []))
        == "lifeline: There is no file \(number). If \(number) is a process: 'lifeline attach \(number)' starts a "
        + "recording, and 'lifeline live \(number)' shows it.\n")
  }

  @Test(
    "A report's name given for the trace is rejected before the program runs", arguments: ["check", "record", "leaks"])
  func reportAsTrace(_ verb: String) throws {
    let result = try lifeline([verb, "-o", "Run.HTML", "--", "/bin/echo", "ran"], in: "/")
    #expect(result.status == 64 && result.output == "", "\(result)")
    #expect(
      result.errors.hasPrefix(
        "Error: --output names the trace, and 'Run.HTML' looks like a report. 'check' writes its report to the file "
          + "given with --report; of a trace, 'lifeline report -o Run.HTML TRACE' writes one.\n"))
  }

  @Test("A device is not a trace")
  func device() throws {
    try #expect(
      refusal(["report", "/dev/zero"]) == "lifeline: /dev/zero is not a regular file, so it is not a trace.\n")
  }

  @Test("Only one trace can be checked at a time")
  func two() throws {
    try withTrace { path in
      try #expect(
        refusal(["check", path, path])
          == "lifeline: Only one trace can be checked at a time; unexpected argument \(path).\n")
    }
  }

  @Test("An event, time span or function that the trace does not have is rejected")
  func beyond() throws {
    try withTrace { path in
      for option in ["--at", "--around"] {
        try #expect(
          refusal(["history", path, "Node#1", option, "3"])
            == "lifeline: There is no event 3; the trace has 2.\n")
        try #expect(lifeline(["history", path, "Node#1", option, "2"], in: "/").status == 0)
      }
      try #expect(
        refusal(["profile", path, "--function", "nothing"])
          == "lifeline: No function in the profile matches 'nothing'; '*' stands for any text.\n")
    }
    let program = try TestProgram("final class Leaf {}\n_ = Leaf()\n", options: ["-Onone"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "trace", program.path], in: folder).status == 0)
      for words in [["profile", "trace"], ["export", "trace", "--format", "collapsed"]] {
        let errors = try refusal(words + ["--from", "10min"], in: folder)
        #expect(errors.hasPrefix("lifeline: The recording lasted "))
        #expect(errors.hasSuffix(" ms; --from 10min is after its end.\n"))
      }
    }
  }

  @Test("Objects and leaks missing from a damaged trace are not reported as absent without naming the damage")
  func damaged() throws {
    try withTrace({ $0[4096 + 66] ^= 4 }) { path in
      for words in [["leaks", path], ["why", path, "Node"]] {
        let result = try lifeline(words, in: "/")
        #expect(result.status == 3 && result.output == "")
        #expect(result.errors.hasSuffix("Reachability was not examined: the trace is damaged or truncated.\n"))
        #expect(result.errors.contains(" is damaged"))
      }
      for verb in ["history", "replay"] {
        let errors = try refusal([verb, path, "Gone#1"])
        #expect(
          errors.contains(" is damaged") && errors.hasSuffix("There is no object of the class 'Gone' in the trace.\n"))
      }
    }
  }

  @Test("live also recognizes a complete trace that was cut off")
  func cutOff() throws {
    let program = try TestProgram("final class Leaf {}\n_ = Leaf()\n", options: ["-Onone"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "trace", program.path], in: folder).status == 0)
      try #expect(lifeline(["live", "--once", "trace"], in: folder).status == 0)
      truncate("\(folder)/trace", 4096)
      let result = try lifeline(["live", "--once", "trace"], in: folder)
      #expect(result.status == 2 && result.errors.contains("The file is cut off: "), "\(result)")
    }
  }

  @Test("A program that cannot be started has status 127", arguments: ["check", "growth", "leaks", "live"])
  func notStarted(_ verb: String) throws {
    try withTemporaryFolder { folder in
      let errors = "lifeline: There is no program ./nothing.\n"
      let result = try lifeline([verb, "--", "./nothing"], in: folder)
      #expect(result == CommandResult(output: "", errors: errors, status: 127))
    }
  }

  @Test("A process without the Swift runtime gets no verdict on leaks")
  func notSwift() throws {
    let sleeper = try TestProcess("sleep", ["300"], limit: .seconds(300))
    defer { sleeper.send(SIGKILL) }
    for words in [["leaks", "\(sleeper.identifier)"], ["why", "\(sleeper.identifier)", "Node"]] {
      let sentence = "lifeline: Reachability was not examined: process \(sleeper.identifier) is not a Swift program.\n"
      try #expect(lifeline(words, in: "/") == CommandResult(output: "", errors: sentence, status: 3))
    }
  }

  @Test("attach lists the options that it accepts, and says why it rejects the others")
  func attach() throws {
    let help = try lifeline(["attach", "--help"], in: "/").output
    #expect(help.contains("--only") && help.contains("--retains") && help.contains("--duration"))
    let record = try lifeline(["record", "--help"], in: "/").output
    for option in ["--zombies", "--quarantine", "--guard", "--on-use-after-free", "--keep", "--max-overhead"] {
      #expect(!help.contains(option) && record.contains(option))
    }
    let result = try lifeline(["attach", "\(getpid())", "--zombies"], in: "/")
    #expect(result.status == 64 && result.errors.contains("Zombies and guard pages stay in a process"))
  }
}
