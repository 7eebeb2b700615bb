import Foundation
import Glibc
import LifelineLive
import LifelineTestSupport
import LifelineTrace
import Testing

/// `lifeline live` beside a program that the test advances step by step.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct LiveTests {
  @Test("A JSON snapshot has the exact counts of each step, by trace and by process")
  func once() throws {
    try SteppedProgram.run { program in
      for step in 1...3 {
        try program.reach(step)
        for subject in [program.trace, String(try program.identifier)] {
          let result = try program.live(["--once", "--format", "json", subject])
          try #require(result.status == 0, "\(result.errors)")
          try #expect(JSONSchema(published: "live-1").problems(result.output) == [])
          let document = try JSONDecoder().decode(LiveDocument.self, from: Data(result.output.utf8))
          let kept = try #require(document.classes.first { $0.name == "Steps.Kept" })
          #expect(kept.live == 10 * step && kept.allocated == 10 * step && kept.deinits == 0)
          let passing = try #require(document.classes.first { $0.name == "Steps.Passing日本" })
          #expect(passing.live == 0 && passing.allocated == 5 * step && passing.deinits == 5 * step)
          #expect(document.live == 10 * step && document.program.isRunning)
          #expect(document.oldest.count == min(20, 10 * step) && document.oldest[0].place.hasSuffix("main.swift:9"))
        }
        program.goOn(step)
      }
    }
  }

  @Test("Without a terminal, live prints one line per second until the process ends, and says how it ended")
  func lines() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      let live = try program.startLive([program.trace])
      try program.waitForOutput("live 10 (+10)  allocated 15  deinits 5  findings 0")
      program.goOn(1)
      try program.waitForOutput("live 20 (+10)  allocated 30")
      kill(try program.identifier, SIGKILL)
      try #expect(live.wait() == 0)
      #expect(program.errors == "lifeline: The process was ended by SIGKILL.\n")
      #expect(program.output.contains("most: 20 Steps.Kept\n"))
    }
  }

  @Test("The node exporter's file is replaced atomically and reports the end")
  func prometheus() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      let file = "\(program.folder)/app.prom"
      func contents() -> String {
        String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
      }
      let live = try program.startLive(["--format", "prometheus", "--file", file, "--interval", "0.1", program.trace])
      let name = "{process=\"\(try program.identifier)\",program=\"program\",class=\"Steps.Kept\"}"
      try program.wait { contents().contains("lifeline_live_objects\(name) 10\n") }
      for step in 1...3 {
        try program.reach(step)
        program.goOn(step)
      }
      try #expect(live.wait() == 0)
      #expect(contents().contains("lifeline_allocations_total\(name) 30\n"))
      #expect(
        contents().contains("\nlifeline_process_running{process=\"\(try program.identifier)\",program=\"program\"} 0\n")
      )
      var status = stat()
      #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o644, "another user reads it")
      let left = try FileManager.default.contentsOfDirectory(atPath: program.folder)
      #expect(!left.contains { $0.contains("partial") })
      let again = try program.live(["--format", "prometheus", "--file", file, program.trace])
      #expect(again.status == 0 && again.errors.contains("The process exited with status 0."))
      try "mine".write(toFile: file, atomically: true, encoding: .utf8)
      let refused = try program.live(["--format", "prometheus", "--file", file, program.trace])
      #expect(refused.status == 2 && refused.errors.contains("already exists"))
    }
  }

  @Test("A trace truncated or replaced while watched ends the watch with an error")
  func replaced() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      // A copy, because the program would continue to write into the original.
      let copy = "\(program.folder)/copy.lifeline"
      for change in ["truncated to 5000 bytes", "was replaced while being watched"] {
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: program.trace, toPath: copy)
        let live = try program.startLive(["--interval", "0.1", copy])
        try program.waitForOutput("live 10")
        if change.hasPrefix("truncated") {
          truncate(copy, 5000)
        } else {
          try FileManager.default.copyItem(atPath: program.trace, toPath: copy + ".new")
          rename(copy + ".new", copy)
        }
        try #expect(live.wait() == 2)
        #expect(program.errors.contains(change) && program.errors.split(separator: "\n").count == 1)
      }
    }
  }

  @Test("live ends when the reader of its output is gone")
  func closedPipe() throws {
    try SteppedProgram.run { program in
      try program.reach(1)
      let command = "\"$0\" live --interval 0.1 \"$1\" | head -n 1; echo done"
      let result = try CommandResult.run("/bin/sh", ["-c", command, BuiltPackage.lifeline, program.trace])
      #expect(result.output.hasSuffix("\ndone\n") && result.output.contains("live 10"))
      #expect(result.errors == "")
    }
  }

  @Test("live starts a program, sends its output to standard error and keeps its trace")
  func program() throws {
    try withTemporaryFolder { folder in
      for step in 1...3 { _ = FileManager.default.createFile(atPath: "\(folder)/go\(step)", contents: nil) }
      let trace = "\(folder)/app.lifeline"
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["live", "-o", trace, "--", SteppedProgram.program().path, folder], folder: folder)
      #expect(result.status == 0)
      #expect(result.output.split(separator: "\n").last!.contains("live 30 (+"))
      #expect(result.errors.contains("step 3\n") && !result.output.contains("step 3"))
      #expect(result.errors.contains("The process exited with status 0."))
      try #expect(Trace(path: trace).recording.end == .exit(0))
      let missing = try CommandResult.run(BuiltPackage.lifeline, ["live", "--", "/nowhere/app"])
      #expect(missing.status == 127)
    }
  }

  @Test("A process or trace that cannot be watched is rejected with one sentence")
  func refused() throws {
    let unrecorded = try CommandResult.run(BuiltPackage.lifeline, ["live", String(getpid())])
    #expect(
      unrecorded.status == 3 && unrecorded.errors.contains("is not being recorded; 'lifeline attach "))
    let nobody = try CommandResult.run(BuiltPackage.lifeline, ["live", "4194305"])
    #expect(
      nobody.status == 2
        && nobody.errors == "lifeline: There is no process 4194305, and no file with that name.\n")
    let noFile = try CommandResult.run(BuiltPackage.lifeline, ["live", "/nowhere/app.lifeline"])
    #expect(noFile.status == 2 && noFile.errors == "lifeline: There is no file /nowhere/app.lifeline.\n")
    let noTrace = try CommandResult.run(BuiltPackage.lifeline, ["live", "/bin/sh"])
    #expect(noTrace.status == 2 && noTrace.errors.contains("/bin/sh is a program, not a trace"))
    for arguments in [
      ["--format", "prometheus", "x"], ["--interval", "0", "x"], ["x", "y"], ["--file", "f", "x"],
      ["--once", "--", "x"],
    ] {
      try #expect(CommandResult.run(BuiltPackage.lifeline, ["live"] + arguments).status == 64, "\(arguments)")
    }
  }
}
