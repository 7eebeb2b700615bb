import Testing

/// What a user has to write is what is tested: a package that depends on Lifeline by its path.
@Suite(.serialized) struct OutsidePackageTests {
  @Test("Traits and expectations in a package of its own: each finding with its test, each text in full")
  func everything() throws {
    let run = try OutsideRun()
    #expect(run.issues(of: "clean") == [])
    #expect(run.issues(of: "fills a cache that is allowed") == [])
    #expect(
      run.issues(of: "leaks a cycle") == [
        """
        CycleNode#1 was allocated in this test and is still alive.
          held by CycleNode#2.next
          retain cycle: CycleNode#1.next → CycleNode#2.next → CycleNode#1
          kept since TraitTests.swift:24 in TraitTests.cycle()
          it keeps alive: CycleNode#2, CycleNode#3
        """
      ])
    #expect(
      run.issues(of: "leaks through a closure") == [
        """
        ClosureNode#1 was allocated in this test and is still alive.
          held by ClosureNode#1.onChange through a closure made at TraitTests.swift:32 in TraitTests.closure()
          retain cycle: ClosureNode#1.onChange → closure made at TraitTests.swift:32 in TraitTests.closure() → ClosureNode#1
          kept since TraitTests.swift:32 in TraitTests.closure()
        """
      ])
    #expect(
      run.issues(of: "leaks after a suspension") == [
        """
        AsyncNode#1 was allocated in this test and is still alive.
          held by AsyncNode#1.next
          retain cycle: AsyncNode#1.next → AsyncNode#1
          kept since TraitTests.swift:43 in TraitTests.asynchronous()
        """
      ])
    #expect(
      run.issues(of: "leaks in a task") == [
        """
        TaskNode#1 was allocated in this test and is still alive.
          held by TaskNode#1.list
          retain cycle: TaskNode#1.list → TaskNode#1
          kept since TraitTests.swift:50 in closure #1 in TraitTests.task()
        """
      ])
    #expect(
      run.issues(of: "leaks into a cache") == [
        """
        Cache#1 was allocated in this test and is still alive.
          held by the static Cache.shared
          kept since Nodes.swift:34 in one-time initialization function for shared
          it keeps alive: CacheEntry#1
        """
      ])
    #expect(
      run.issues(of: "leaks nothing, but uses a dead object") == [
        """
        LostNode#1 was used after it was freed.
          used at TraitTests.swift:67 in TraitTests.useAfterFree()
          its last reference was given up at TraitTests.swift:65 in TraitTests.useAfterFree()
        """
      ])
    // The texts of the expectations stand in the package itself: none of its other tests may fail.
    for test in ["deallocatedAtOnce()", "deallocatedAtTheEnd()", "needsTheTrait()", "noLeaks()", "asynchronousNoLeaks()", "whoHolds()", "order()", "olderThanTheRecording()"] {
      #expect(run.result.output.contains("Test \(test) passed"), "\(test)")
    }
  }

  @Test("XCTest fails with the same texts")
  func legacy() throws {
    let run = try OutsideRun(filter: "LegacyTests")
    #expect(run.failures(of: "LegacyTests.testCleanCode") == [])
    #expect(
      run.failures(of: "LegacyTests.testLeak") == [
        """
        LegacyNode#4 was allocated in expectNoLeaks and is still alive.
          held by LegacyNode#4.next
          retain cycle: LegacyNode#4.next → LegacyNode#4
          kept since LegacyTests.swift:19 in closure #1 in LegacyTests.testLeak()
        """
      ])
    #expect(
      run.failures(of: "LegacyTests.testDeallocatedAtTheEnd") == [
        """
        LegacyNode#3 was not deallocated when the test ended.
          held by LegacyNode#3.next
          retain cycle: LegacyNode#3.next → LegacyNode#3
          kept since LegacyTests.swift:25 in LegacyTests.testDeallocatedAtTheEnd()
        """
      ])
  }

  @Test("A test whose objects cannot be observed fails, and says why")
  func blind() throws {
    let run = try OutsideRun(environment: ["LIFELINE_OPTIONS": "output=/tmp/lifeline-blind.%p.lifeline:only=Nothing"], filter: "TraitTests/clean")
    #expect(
      run.issues(of: "clean") == [
        "The lifetimes could not be observed. An object that was allocated to be seen was not: its class is not recorded, or this runtime has no task-local values."
      ])
    #expect(run.result.status == 1)
  }
}
