import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct TimelineTests {
  @Test("Marks, phases and scopes are in the trace, and a scope names what survived it")
  func spans() throws {
    let run = try HarnessRun(["spans"], .started)
    #expect(
      try run.harnessEvents() == [
        "mark begin", "begin phase load", "end phase load", "begin scope fill", "end scope fill", "begin scope clean",
        "end scope clean", "begin scope said", "end scope said",
      ])
    #expect(
      run.lines == [
        "7", "fill (HarnessProgram/Spans.swift:12): 2 objects allocated inside are still live: 2 Target",
        "clean (HarnessProgram/Spans.swift:17): no object allocated inside is still live", "3",
      ])
    #expect(
      run.result.errors == "said (HarnessProgram/Spans.swift:18): 1 object allocated inside is still live: 1 Target\n")
  }

  @Test("Without a recording, marks, phases and scopes do nothing")
  func silent() throws {
    let run = try HarnessRun(["spans"])
    #expect(run.lines == ["7", "3"])
    #expect(run.result.errors == "")
    #expect(run.trace == nil)
  }

  @Test("A recorder started in the process records whole lifetimes by class, like the preloaded one")
  func started() throws {
    for recording in [HarnessRun.Recording.started, .preloaded] {
      let run = try HarnessRun(["spans"], recording)
      let trace = try #require(run.trace)
      var counts: [EventKind: Int] = [:]
      var event = Event()
      let reader = trace.events()
      let target = try #require(trace.tables.classes.values.first { $0.name == "HarnessProgram.Target" })
      var targets: Set<UInt64> = []
      while try reader.next(&event) {
        if event.kind == .allocate, event.argument0 == UInt64(target.id) { targets.insert(event.object) }
        if targets.contains(event.object) { counts[event.kind, default: 0] += 1 }
      }
      #expect(counts[.allocate] == 6)
      #expect(counts[.deallocate] ?? 0 >= 3)
      #expect(reader.problems == [])
      #expect(trace.tables.detours.allSatisfy { $0.status == .active })
    }
  }

  @Test("A program that starts a recorder under a preloaded one has a single trace")
  func oneRecorder() throws {
    let run = try HarnessRun(["start"], .preloaded, environment: ["HARNESS_TRACE": "/nonexistent/other.lifeline"])
    #expect(run.lines.count == 1)
    #expect(run.lines.first?.hasPrefix("true /") == true)
    #expect(run.lines.first?.hasSuffix("/run.lifeline") == true)
  }

  @Test("Starting without a probe or with an unwritable trace throws an error")
  func cannotStart() throws {
    let missing = try HarnessRun(["start"], .started, environment: ["LIFELINE_PROBE": "/nonexistent/probe.so"])
    #expect(missing.lines == ["The probe /nonexistent/probe.so named by LIFELINE_PROBE cannot be read."])
    #expect(missing.result.status == 3)
    let unwritable = try HarnessRun(["start"], environment: ["HARNESS_TRACE": "/nonexistent/run.lifeline"])
    #expect(unwritable.lines == ["The trace file could not be created; a line on standard error says why."])
    #expect(
      unwritable.result.errors
        == "lifeline: the trace /nonexistent/run.lifeline cannot be created: No such file or directory; "
        + "nothing is recorded\n"
    )
    let foreign = try HarnessRun(
      ["start"], .started, environment: ["LIFELINE_PROBE": "/lib/x86_64-linux-gnu/libc.so.6"])
    #expect(
      foreign.lines == [
        "The probe /lib/x86_64-linux-gnu/libc.so.6 cannot be loaded: it is no probe of this version of Lifeline."
      ])
  }

  /// Before threads inside the patched instructions were redirected, one run in thirty crashed.
  @Test("Starting patches the runtime without disturbing threads that retain and release constantly")
  func busyStart() throws {
    for _ in 0..<40 {
      try withTemporaryFolder { folder in
        let run = try HarnessRun(["start-busy", "\(folder)/busy.lifeline"])
        #expect(run.result.output == "done\n")
        #expect(run.result.status == 0)
      }
    }
  }

  @Test("A recording that the program ends can be followed by another, which follows its own references only")
  func restart() throws {
    try withTemporaryFolder { folder in
      let file = "\(folder)/run.lifeline"
      let run = try HarnessRun(["restart", file], environment: ["HARNESS_TRACE": file])
      #expect(
        run.lines == [
          "first: true", "stopped: false false", "second: true false true", "second: true 0", "hello from kept",
        ], "\(run.result)")
      #expect(run.result.status == 0)
      let first = try Trace(path: file)
      #expect(first.recording.end == .detached && first.recording.age == nil)
      let last = try #require(
        try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasPrefix("run.lifeline.") })
      let second = try Trace(path: "\(folder)/\(last)")
      #expect(second.recording.end == .exit(0) && second.recording.age != nil)
      #expect(try targets(in: first) == 2)
      #expect(try targets(in: second) == 1)
      let check = try CommandResult.run(BuiltPackage.lifeline, ["check", file], folder: folder)
      #expect(check.status == 3)
      #expect(
        check.output.contains(
          "no verdict: The recording ended before the process did: what happened afterwards is unknown."), "\(check)")
    }
  }

  private func targets(in trace: Trace) throws -> Int {
    let target = try #require(trace.tables.classes.values.first { $0.name == "HarnessProgram.Target" })
    let reader = trace.events()
    var event = Event()
    var count = 0
    while try reader.next(&event) { count += event.kind == .allocate && event.argument0 == UInt64(target.id) ? 1 : 0 }
    #expect(reader.problems == [])
    return count
  }

  @Test("A recording that has stopped by itself is ended before another one starts")
  func restartAfterLimit() throws {
    try withTemporaryFolder { folder in
      let file = "\(folder)/run.lifeline"
      let run = try HarnessRun(["restart-limited", file], environment: ["HARNESS_TRACE": file])
      #expect(
        run.lines == [
          "The recording has stopped by itself; Timeline.stop() ends it, and then another one can start.",
          "true 200000",
        ], "\(run.result)")
      #expect(run.result.status == 0)
      #expect(try Recording.read(path: file).stopReason != 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }

  @Test("Recordings begin and end without disturbing threads that allocate and free constantly")
  func busyRestarts() throws {
    for _ in 0..<4 {
      try withTemporaryFolder { folder in
        let run = try HarnessRun(["restart-busy", "\(folder)/busy.lifeline"])
        #expect(run.result.output == "done\n", "\(run.result)")
        #expect(run.result.status == 0)
        let traces = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(traces.count == 10)
        for trace in traces {
          let recording = try Trace(path: "\(folder)/\(trace)").recording
          #expect(recording.end == .detached && recording.stopReason == 0 && recording.hasZombies)
        }
      }
    }
  }
}
