import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ReferenceTests {
  @Test(
    "Tracked references count and become nil like native ones in 10,000 random sequences on four threads",
    arguments: [HarnessRun.Recording.none, .started])
  func sameCounts(_ recording: HarnessRun.Recording) throws {
    let sequences = recording == .none ? 10_000 : 2_000
    let run = try HarnessRun(["compare", "\(sequences)"], recording)
    #expect(run.result.output == "\(sequences) sequences, 0 differences\n")
  }

  @Test("Reading a tracked unowned reference to a dead object stops the program with the runtime's message")
  func trap() throws {
    func words(_ run: HarnessRun) -> String {
      let line = run.result.errors.split(separator: "\n").first { $0.hasPrefix("Fatal error") } ?? ""
      return String(line).replacing(/0x[0-9a-f]+/, with: "0x…")
    }
    let plain = try HarnessRun(["unowned-plain"])
    #expect(words(plain) == "Fatal error: Attempted to read an unowned reference but object 0x… was already destroyed")
    for recording in [HarnessRun.Recording.none, .preloaded, .started] {
      let tracked = try HarnessRun(["unowned-tracked"], recording)
      #expect(words(tracked) == words(plain))
      #expect(tracked.result.status == plain.result.status)
    }
  }

  @Test("Tracked references work in protocol compositions, generics, optionals, collections and Sendable types")
  func shapes() throws {
    for recording in [HarnessRun.Recording.none, .started] {
      #expect(
        try HarnessRun(["shapes"], recording).lines == [
          "3", "2", "true", "2", "1", "true", "true", "[true, true, true]", "[false, true, false]", "1", "8",
          "TrackedWeak<Both>",
        ])
    }
  }

  @Test("Tracked references work with nested optionals, existentials, generics, actors, structs, locals and statics")
  func kinds() throws {
    let expected = """
      object object object object object
      nil some(nil) some(nil) some(nil) some(nil)
      nil nil nil nil nil
      false true
      true 2 5 5 1
      true true
      [true, true, true, true] [true, true, true, true]
      [false, false, true] [true, false, false] 5
      [true, false] 1 5
      true true
      true 1
      true 5
      true 5
      alive, 0 gone 1

      """
    for recording in [HarnessRun.Recording.none, .preloaded, .started] {
      let run = try HarnessRun(["kinds"], recording)
      #expect(run.result.output == expected)
      #expect(run.result.status == 0)
    }
  }

  @Test(
    "Set, load, message and clear are recorded with the declaration's location",
    arguments: [HarnessRun.Recording.preloaded, .started])
  func events(_ recording: HarnessRun.Recording) throws {
    let run = try HarnessRun(["references"], recording)
    let events = try run.harnessEvents().map { $0.replacing(" (HarnessProgram/References.swift:", with: " (") }
    #expect(
      events == [
        "set strong Screen.strong (11)", "set weak Screen.weakly (12)", "set unowned Screen.unownedly (13)",
        "set unowned(unsafe) Screen.unsafely (14)",
        "message weak Screen.weakly (12)", "message strong Screen.strong (11)", "message unowned Screen.unownedly (13)",
        "message unowned(unsafe) Screen.unsafely (14)", "clear unowned Screen.unownedly (13)",
        "set unmanaged run() (31)", "message unmanaged run() (31)",
        "clear unmanaged run() (31)", "clear strong Screen.strong (11)",
      ])
    #expect(run.lines.suffix(2) == ["gone", "true"])
  }

  @Test("A message through an unowned(unsafe) reference to a dead object is ignored, stops or proceeds as chosen")
  func lost() throws {
    let ignored = try HarnessRun(["lost", "ignore"], .started)
    #expect(ignored.lines == ["true", "not sent", "true"])
    var event = Event()
    var uses = 0
    let reader = try #require(ignored.trace).events()
    while try reader.next(&event) { uses += event.kind == .useAfterFree ? 1 : 0 }
    #expect(uses == 2)
    #expect(
      try ignored.harnessEvents().filter { $0.hasPrefix("lost") }
        == Array(repeating: "lost unowned(unsafe) useLost(_:) (HarnessProgram/References.swift:62)", count: 2))

    #expect(try HarnessRun(["lost", "proceed"], .started).lines == ["true", "sent"])
    let stopped = try HarnessRun(["lost", "stop"], .started)
    #expect(stopped.lines == ["true"])
    #expect(
      stopped.result.errors.contains(
        "Fatal error: The unowned(unsafe) reference in useLost(_:) (HarnessProgram/References.swift:62) was used after "
          + "its object was deallocated. 'lifeline report /"
      ))
    #expect(try HarnessRun(["lost", "proceed"]).lines == ["false", "sent"])
  }

  @Test("Of thousands of watched objects that die in random order, exactly the dead ones are reported dead")
  func watched() throws {
    #expect(try HarnessRun(["watch"], .started).lines == ["0 true true 5000"])
  }

  @Test("A reference to a dead object does not refer to a new object at its address")
  func reuse() throws {
    let run = try HarnessRun(["reuse"], .preloaded, environment: [:])
    #expect(run.lines == ["not reused true 0"] || run.lines == ["reused true 0"])
  }
}
