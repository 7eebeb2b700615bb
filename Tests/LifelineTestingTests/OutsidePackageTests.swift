import Foundation
import LifelineTestSupport
import Testing

/// Tests what a user writes: the tests of a package that depends on Lifeline by path.
@Suite(.serialized, .startsPrograms, .timeLimit(.minutes(60))) struct OutsidePackageTests {
  /// A test of the package, and the only issue that it must have; nil for none.
  private static let expected: [(test: String, issue: String?)] = [
    ("clean", nil),
    ("fills a cache that is allowed", nil),
    ("allows what one of its runs leaves", nil),
    ("a service leaks on a queue of its own", nil),
    (
      "allows what was never there",
      "The allowance for NeverMade (none) covers nothing that is alive. Remove it or correct the name."
    ),
    (
      "leaks a cycle",
      """
      CycleNode#1 was allocated in this test and is still alive.
        held by CycleNode#2.next
        retain cycle: CycleNode#1.next → CycleNode#2.next → CycleNode#1
        kept since TraitTests.swift:24 in TraitTests.cycle()
        it keeps alive: CycleNode#2, CycleNode#3
      """
    ),
    (
      "leaks through a closure",
      """
      ClosureNode#1 was allocated in this test and is still alive.
        held by ClosureNode#1.onChange through a closure created at TraitTests.swift:32 in TraitTests.closure()
        retain cycle: ClosureNode#1.onChange → closure created at TraitTests.swift:32 in \
      TraitTests.closure() → ClosureNode#1
        kept since TraitTests.swift:32 in TraitTests.closure()
      """
    ),
    (
      "leaks after a suspension",
      """
      AsyncNode#1 was allocated in this test and is still alive.
        held by AsyncNode#1.next
        retain cycle: AsyncNode#1.next → AsyncNode#1
        kept since TraitTests.swift:43 in TraitTests.asynchronous()
      """
    ),
    (
      "leaks in a task",
      """
      TaskNode#1 was allocated in this test and is still alive.
        held by TaskNode#1.list
        retain cycle: TaskNode#1.list → TaskNode#1
        kept since TraitTests.swift:50 in closure #1 in TraitTests.task()
      """
    ),
    (
      "leaks in a detached task",
      """
      DetachedNode#1 was allocated in this test and is still alive.
        held by DetachedNode#1.next
        retain cycle: DetachedNode#1.next → DetachedNode#1
        kept since ElsewhereTests.swift:25 in closure #1 in ElsewhereTests.detached()
      """
    ),
    (
      "leaks on a queue",
      """
      QueueNode#1 was allocated in this test and is still alive.
        held by QueueNode#1.list
        retain cycle: QueueNode#1.list → QueueNode#1
        kept since ElsewhereTests.swift:39 in static ElsewhereTests.close(_:)
        it keeps alive: QueueNode#2
      """
    ),
    (
      "leaks into a cache",
      """
      Cache#1 was allocated in this test and is still alive.
        held by the static Cache.shared
        kept since Nodes.swift:38 in one-time initialization function for shared
        it keeps alive: CacheEntry#1
      """
    ),
    (
      "leaks nothing, but uses a dead object",
      """
      LostNode#1 was used after it was freed.
        used at TraitTests.swift:67 in TraitTests.useAfterFree()
        its last reference was released at TraitTests.swift:65 in TraitTests.useAfterFree()
      """
    ),
    (
      "outlives its owner",
      """
      LongNode#1 outlived ShortNode#1.
        its last reference was released at TraitTests.swift:79 in TraitTests.order()
      """
    ),
    (
      "stays in a global variable",
      """
      StayingNode#1 was not deallocated when the test ended.
        held by the global keptByMistake
        kept since TraitTests.swift:96 in TraitTests.global()
      """
    ),
    (
      "leaks with an argument",
      """
      ArgumentNode#2 was allocated in this test and is still alive.
        held by ArgumentNode#2.next
        retain cycle: ArgumentNode#2.next → ArgumentNode#2
        kept since ConcurrencyTests.swift:50 in ConcurrencyTests.argument(_:)
      """
    ),
  ]

  private static let run = Result { try OutsideRun() }

  @Test(
    "In a package of its own, traits and expectations report each finding with its test and full text",
    arguments: expected)
  func finding(_ test: String, _ issue: String?) throws {
    let run = try Self.run.get()
    // Which of a test's arguments comes first is not fixed.
    let issue = test == "leaks with an argument" ? issue?.replacing("#2", with: run.argumentNode) : issue
    #expect(run.issues(of: test) == (issue.map { [$0] } ?? []))
  }

  @Test(
    "Tests of a package that are clean, or have their expected texts in themselves, pass",
    arguments: [
      "\"clean\"", "\"clean on the main actor\"", "\"clean in a group\"", "\"clean with an actor\"",
      "deallocatedAtOnce()", "deallocatedAtTheEnd()", "needsTheTrait()", "noLeaks()", "asynchronousNoLeaks()",
      "whoHolds()", "order()", "olderThanTheRecording()",
    ])
  func passing(_ test: String) throws {
    #expect(try Self.run.get().text.contains("Test \(test) passed"))
  }

  @Test("An explored test runs under one schedule after another, and a failure names the seed that repeats it")
  func explored() throws {
    var run = try OutsideRun(tests: "ExploredTests")
    // On a busy machine the schedules of one run may all be good ones.
    for _ in 0..<3 where run.issues(of: "takes what another thread took").isEmpty {
      run = try OutsideRun(tests: "ExploredTests")
    }
    let failed = run.issues(of: "takes what another thread took")
    let seed = try #require(failed.count == 1 ? Self.seed(failed[0], "failed", of: 200) : nil, "\(run.result)")
    #expect(run.text.contains("Test \"takes under one lock\" passed"))
    let used = run.issues(of: "writes what another thread freed")
    #expect(used.count == 2, "\(run.result)")
    #expect(used.first?.hasPrefix("Letter#") == true && used.first?.contains(" was used after it was freed.\n") == true)
    #expect(used.last.flatMap { Self.seed($0, "used a freed object", of: 200) } != nil)
    // On a busy machine a test may have failed because a thread happened to be late, and then its seed shows nothing.
    var found: String? = seed
    var said = ""
    for _ in 0..<4 {
      let again = try OutsideRun(tests: "ExploredTests/takers", environment: ["LIFELINE_SEED": found ?? seed])
      let shown = again.issues(of: "takes what another thread took")
      if shown.count == 1, Self.seed(shown[0], "failed", of: 10) == found ?? seed { return }
      said = "\(again.result)"
      let other = try OutsideRun(tests: "ExploredTests/takers").issues(of: "takes what another thread took")
      found = other.first.flatMap { Self.seed($0, "failed", of: 200) }
    }
    Issue.record("No seed showed the failure again: \(said)")
  }

  @Test("A test that crashes under a schedule names the schedule before the process ends")
  func crashed() throws {
    let told = #/lifeline: This happened in trap\(\) under seed [0-9]+\. LIFELINE_SEED=/#
    var said = ""
    // On a busy machine it may crash by itself in the first run, which has no schedule.
    for _ in 0..<4 {
      // A process that crashes leaves its trace behind.
      let run = try withTemporaryFolder {
        try OutsideRun(tests: "ExploredTests/trap", environment: ["TRAPS": "1", "TMPDIR": $0])
      }
      #expect(run.result.status != 0)
      if run.text.contains(told) { return }
      said = run.text
    }
    Issue.record("No crash named its schedule: \(said)")
  }

  /// The seed named by an issue of an explored test.
  private static func seed(_ text: String, _ what: String, of runs: Int) -> String? {
    let parts = text.split(separator: #/ of [0-9]+, under seed |\. LIFELINE_SEED=| in the environment /#)
    guard parts.count == 4, parts[0].wholeMatch(of: #/This test .* in run [0-9]+/#) != nil, parts[1] == parts[2],
      text.hasPrefix("This test \(what) in run "), text.contains(" of \(runs), "),
      parts[3] == "runs only that schedule."
    else { return nil }
    return String(parts[1])
  }

  @Test("The examples in the documentation are compiled and run verbatim by the package")
  func documentation() throws {
    let page = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Documentation/Harness.md"), encoding: .utf8)
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent(
        "Tests/OutsidePackage/Tests/OutsideTests/DocumentationExample.swift"), encoding: .utf8)
    let examples = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(examples.count == 3)
    for example in examples { #expect(source.contains(example)) }
    let run = try OutsideRun(tests: "DetailTests|loadingReportsWhatIsLeft")
    #expect(run.result.status == 0)
    #expect(run.text.contains("Test run with 4 tests in 1 suite passed"))
  }

  /// The optimizer moves lines and removes objects, but the holders of the remaining objects are the same.
  @Test("A release build finds the same leaks, with the same holders and cycles")
  func release() throws {
    let run = try OutsideRun(releasedTests: "TraitTests")
    func story(_ test: String) -> [String] {
      run.issues(of: test).flatMap { $0.split(separator: "\n").prefix(3).map(String.init) }
    }
    #expect(run.issues(of: "clean") == [])
    #expect(run.issues(of: "fills a cache that is allowed") == [])
    #expect(
      story("leaks a cycle") == [
        "CycleNode#1 was allocated in this test and is still alive.", "  held by CycleNode#2.next",
        "  retain cycle: CycleNode#1.next → CycleNode#2.next → CycleNode#1",
      ])
    #expect(
      story("leaks after a suspension") == [
        "AsyncNode#1 was allocated in this test and is still alive.", "  held by AsyncNode#1.next",
        "  retain cycle: AsyncNode#1.next → AsyncNode#1",
      ])
    #expect(
      story("leaks into a cache").prefix(2) == [
        "Cache#1 was allocated in this test and is still alive.", "  held by the static Cache.shared",
      ])
    #expect(story("leaks nothing, but uses a dead object").first == "LostNode#1 was used after it was freed.")
  }

  @Test("XCTest fails with the same texts")
  func legacy() throws {
    let run = try OutsideRun(testCase: "LegacyTests")
    #expect(run.failures(of: "LegacyTests.testCleanCode") == [])
    #expect(
      run.failures(of: "LegacyTests.testLeak") == [
        """
        LegacyNode#4 was allocated in assertNoLeaks and is still alive.
          held by LegacyNode#4.next
          retain cycle: LegacyNode#4.next → LegacyNode#4
          kept since LegacyTests.swift:20 in closure #1 in LegacyTests.testLeak()
        """
      ])
    #expect(
      run.failures(of: "LegacyTests.testDeallocatedAtTheEnd") == [
        """
        LegacyNode#3 was not deallocated when the test ended.
          held by LegacyNode#3.next
          retain cycle: LegacyNode#3.next → LegacyNode#3
          kept since LegacyTests.swift:26 in LegacyTests.testDeallocatedAtTheEnd()
        """
      ])
    #expect(run.failures(of: "LegacyTests.testCleanWaiting") == [])
    #expect(
      run.failures(of: "LegacyTests.testWrongWaiting") == [
        """
        LegacyWaiting#2 was allocated in assertNoLeaks and is still alive.
          held by LegacyWaiting#2.next
          retain cycle: LegacyWaiting#2.next → LegacyWaiting#2
          kept since LegacyTests.swift:43 in closure #1 in closure #1 in LegacyTests.testWrongWaiting()
        """
      ])
    #expect(
      run.failures(of: "LegacyTests.testWrongUse").first?.hasPrefix(
        "LegacyLost#1 was used after it was freed.\n  used at LegacyTests.swift:53 in closure #1 in "
          + "LegacyTests.testWrongUse()"
      ) == true)
    #expect(run.failures(of: "LegacyTests.testWrongOrder").first?.contains(" outlived LegacyOuter#") == true)
  }

  @Test("The trace of a recorder started from outside is kept; the tests' own is removed")
  func kept() throws {
    try withTemporaryFolder { folder in
      let options = "output=\(folder)/%p.lifeline"
      let run = try OutsideRun(tests: "TraitTests/clean", environment: ["LIFELINE_OPTIONS": options])
      #expect(run.issues(of: "clean") == [])
      func traces() throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map {
          try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))
        }
      }
      #expect(try traces().contains { $0.range(of: Data("OutsideTests.CleanNode".utf8)) != nil })
    }
    try withTemporaryFolder { folder in
      let run = try OutsideRun(tests: "TraitTests/clean", environment: ["TMPDIR": folder])
      #expect(run.issues(of: "clean") == [] && run.text.contains("Test \"clean\" passed"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".lifeline") } == [])
    }
  }

  @Test("Where only the ends of objects are recorded, as in the first run of check, their order is known all the same")
  func lives() throws {
    let run = try withTemporaryFolder { folder in
      try OutsideRun(
        tests: "TraitTests/(order|orderly)",
        environment: ["LIFELINE_OPTIONS": "output=\(folder)/%p.lifeline:depth=lives:zombies=1"])
    }
    #expect(run.issues(of: "dies before its owner") == [])
    let issues = run.issues(of: "outlives its owner")
    #expect(issues.count == 1 && issues[0].hasPrefix("LongNode#1 outlived ShortNode#1."), "\(issues)")
  }

  @Test("A test whose objects cannot be observed fails, and says why")
  func blind() throws {
    let run = try withTemporaryFolder { folder in
      try OutsideRun(
        tests: "TraitTests/clean", environment: ["LIFELINE_OPTIONS": "output=\(folder)/%p.lifeline:only=Nothing"])
    }
    #expect(
      run.issues(of: "clean") == [
        "The lifetimes could not be observed. A test object was not seen: its class is not recorded, "
          + "or this runtime has no task-local values."
      ])
    #expect(run.result.status == 1)
  }

  @Test("What a test leaks is also a leak for lifeline, although the expectations know its address")
  func leaksOfTests() throws {
    var run = try OutsideRun(leaksOfTests: "TraitTests/(cycle|clean)")
    // Memory that was not written yet may have its address in one run.
    for _ in 0..<3 where !run.result.output.contains("CycleNode") {
      run = try OutsideRun(leaksOfTests: "TraitTests/(cycle|clean)")
    }
    #expect(run.result.output.contains("CycleNode"), "\(run.result)")
    #expect(run.issues(of: "leaks a cycle").count == 1)
  }
}
