import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite("Sampling", .startsPrograms, .timeLimit(.minutes(60))) struct SampleTests {
  private static let source = """
    import Dispatch
    final class Node { var next: Node?; weak var back: Node?; var text = "x" }
    final class Job { unowned(unsafe) var node: Node; init(_ node: Node) { self.node = node } }
    nonisolated(unsafe) var kept: [[Node]] = Array(repeating: [], count: 4)
    @inline(never) func work(_ index: Int) -> [Node] {
      var all: [Node] = []
      for round in 0..<2000 {
        let node = Node(), other = Node()
        node.next = other
        other.back = node
        all.append(other.back!)
        if round % 2 == 0 { all.removeLast() }
      }
      return all
    }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      let nodes = work(index)
      kept.withUnsafeMutableBufferPointer { $0[index] = nodes }
    }
    // What one thread allocated, another frees.
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      kept.withUnsafeMutableBufferPointer { $0[index].removeLast(500); for node in $0[index] { node.next!.back = nil } }
    }
    print(kept.map(\\.count))
    """

  @Test(
    "About one object in N is in the sample, and each has its complete history",
    arguments: ["depth=full", "depth=lives", "depth=full:zombies=1"])
  func histories(_ options: String) throws {
    let run = try RecordedRun(TestProgram(Self.source, options: ["-O"]), options: "sample=1/8:\(options)")
    #expect(run.behavesTheSame)
    #expect(run.trace.recording.sample == 8)
    let nodes = try #require(run.totals("Node"))
    #expect(nodes.allocated == nodes.freed + nodes.liveAtExit)
    // Each event's count follows from the previous event: none is missing.
    #expect(nodes.gaps == 0 && run.summary.tracker.unattributed == 0)
    if options != "depth=lives" { #expect(nodes.retains > 0 && nodes.releases >= nodes.freed) }
    // A zombie keeps its address, so fewer and fewer of the addresses in use are in the sample.
    if options.contains("zombies") { return }
    let totals = try #require(
      try SampleTotals(run.trace, run.summary).classes.values.first { $0.liveAtExit.value > 1000 })
    #expect(abs(totals.liveAtExit.value - 4000) < 6 * totals.liveAtExit.error)
    #expect(abs(totals.allocated.value - 16_000) < 6 * totals.allocated.error)
  }

  @Test("A sample of 1/1 contains every object")
  func all() throws {
    let program = try TestProgram(Self.source, options: ["-O"])
    let nodes = try #require(try RecordedRun(program, options: "sample=1/1").totals("Node"))
    #expect(nodes.allocated == 16_000 && nodes.liveAtExit == 4000)
  }

  @Test("A use after free is caught if the object is in the sample")
  func zombies() throws {
    let source = """
      final class Job { var text = "x"; func run() { text += "y" } }
      // An unowned reference keeps the memory, so that a retain of an object outside the sample is harmless.
      struct Reference { unowned let job: Job; let unmanaged: Unmanaged<Job> }
      @inline(never) func drop() -> [Reference] {
        let jobs = (0..<200).map { _ in Job() }
        return jobs.map { Reference(job: $0, unmanaged: Unmanaged.passUnretained($0)) }
      }
      for reference in drop() { _ = reference.unmanaged.retain() }
      print("end")
      """
    let run = try RecordedRun(TestProgram(source), options: "sample=1/4:zombies=1:on-use-after-free=continue")
    let jobs = try #require(run.totals("Job"))
    // The runtime handles retains of the other objects.
    #expect(jobs.allocated > 0 && jobs.allocated < 200)
    #expect(Set(run.summary.tracker.accesses.map(\.object)).count == jobs.allocated)
  }

  @Test(
    "An object outside the sample costs only a few instructions",
    .enabled(
      if: InstructionCounter.available == .processor || TestTool.valgrind.isExpected,
      "needs valgrind, which Scripts/setup installs"),
    arguments: [(["loop", "--frames", "10"], 4, 4), (["allocation"], 3, 1)] as [([String], Int, Int)])
  func cost(_ workload: [String], _ eventsEach: Int, _ limit: Int) throws {
    try withTemporaryFolder { folder in
      let probe = "\(folder)/libLifelineProbe.so"
      try #require(CommandResult.run("objcopy", ["--strip-debug", BuiltPackage.probe, probe]).status == 0)
      let scale = InstructionCounter.available == .processor ? 1 : 20
      func added(_ count: Int) throws -> Int {
        let command =
          [BuiltPackage.buildFolder.appendingPathComponent("lifeline-workloads").path] + workload + [
            "--count", String(count),
          ]
        // One address in a million is in the sample, so the workload will hardly use one.
        let options = "output=\(folder)/trace:force=1:sample=1/1000000"
        return try InstructionCounter.count(command, environment: ["LD_PRELOAD": probe, "LIFELINE_OPTIONS": options])
          - InstructionCounter.count(command)
      }
      let few = 100_000 / scale, many = few * 3
      let each = Double(try added(many) - added(few)) / Double((many - few) * eventsEach)
      print("SampleTests: \(workload[0]): \((each * 10).rounded() / 10) instructions added to an event")
      // Measured: 1.5, and 6.0 fewer than without the probe, whose hooks skip a part of the runtime's path.
      #expect(each < Double(limit))
      let trace = try Trace(path: "\(folder)/trace")
      #expect(trace.recording.sample == 1_000_000 && trace.tables.detours.contains { $0.entryPoint == "swift_release" })
    }
  }
}
