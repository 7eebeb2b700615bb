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
    let totals = try #require(SampleTotals([nodes], denominator: 8).classes[nodes.name])
    #expect(abs(totals.liveAtExit.value - 4000) < 6 * totals.liveAtExit.error)
    #expect(abs(totals.allocated.value - 16_000) < 6 * totals.allocated.error)
  }

  @Test("Where one address is used again and again, one in N of its objects is in the sample, with its whole history")
  func oneAddress() throws {
    let source = """
      final class Node { var value = 0 }
      final class Other { var value = 0 }
      nonisolated(unsafe) var last: AnyObject?
      @inline(never) func use(_ object: AnyObject) { last = object; last = nil }
      for _ in 0..<64_000 { use(Node()); use(Other()) }
      """
    let run = try RecordedRun(TestProgram(source, options: ["-Onone"]), options: "sample=1/8")
    #expect(run.behavesTheSame && run.summary.tracker.unattributed == 0)
    for name in ["Node", "Other"] {
      let totals = try #require(run.totals(name))
      #expect(totals.allocated == totals.freed && totals.gaps == 0)
      #expect(abs(totals.allocated - 8000) < 6 * 84)  // the root of 64,000 × 1/8 × 7/8 is 84
      #expect(totals.releases >= totals.freed)
    }
  }

  @Test(
    "Boxes, buffers and objects that unowned references outlive are in the sample from their allocation to their end")
  func otherObjects() throws {
    let source = """
      final class Node { var value = 0 }
      struct Reference { unowned let node: Node }
      @inline(never) func references() -> [Reference] { (0..<4000).map { _ in Reference(node: Node()) } }
      @inline(never) func box<T>(_ value: T) -> () -> T {
        var kept = value
        return { defer { kept = value }; return kept }
      }
      final class Buffer: ManagedBuffer<Int, Int> {}
      for round in 0..<3 {
        let kept = references()
        let closures = (0..<4000).map { box($0) }
        let buffers = (0..<4000).map { size in Buffer.create(minimumCapacity: size % 50) { _ in size } }
        if kept.count + closures.count + buffers.count + round < 0 { print(closures[0]()) }
      }
      """
    for options in ["sample=1/4", "sample=1/4:depth=lives", "sample=1/4:zombies=1"] {
      let run = try RecordedRun(TestProgram(source, options: ["-Onone"]), options: options)
      #expect(run.behavesTheSame && run.summary.tracker.unattributed == 0)
      for name in ["Node", "Buffer", "(closure context)"] {
        let totals = try #require(run.totals(name))
        #expect(totals.allocated == totals.freed + totals.liveAtExit && totals.liveAtExit < 10, "\(name), \(options)")
        #expect(totals.allocated > 2000, "\(name), \(options)")
      }
      #expect(try abs(#require(run.totals("Node")).allocated - 3000) < 6 * 48)
    }
  }

  /// Without, what a thread did long after its last recorded event was ordered before what others had done since.
  @Test("Where few calls are recorded, each retain and release has a time", arguments: ["sample=1/2", "only=Node", ""])
  func times(_ options: String) throws {
    let source = """
      final class Node { var value = 0 }
      let nodes = (0..<100).map { _ in Node() }
      var last: Node?
      for round in 0..<5000 { last = nodes[round % 100] }
      print(last!.value)
      """
    let program = try TestProgram(source, options: ["-Onone"])
    let trace = try RecordedRun(program, options: options.isEmpty ? "depth=full" : options).trace
    let reader = trace.events()
    var event = Event()
    var clocks: [UInt32: Set<UInt64>] = [:], count = 0
    while try reader.next(&event) {
      guard event.kind == .retain || event.kind == .release else { continue }
      count += 1
      clocks[event.thread, default: []].insert(event.clock)
    }
    let times = clocks.values.reduce(0) { $0 + $1.count }
    #expect(count > 1000)
    #expect(options.isEmpty ? times < count / 2 : times > count * 9 / 10, "\(times) of \(count)")
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
    arguments: [(["loop", "--frames", "10"], 4, 8), (["allocation"], 3, 11)] as [([String], Int, Int)])
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
        // One object in a million is in the sample, so the workload will hardly use one.
        let options = "output=\(folder)/trace:force=1:sample=1/1000000"
        return try InstructionCounter.count(command, environment: ["LD_PRELOAD": probe, "LIFELINE_OPTIONS": options])
          - InstructionCounter.count(command)
      }
      let few = 100_000 / scale, many = few * 3
      let each = Double(try added(many) - added(few)) / Double((many - few) * eventsEach)
      print("SampleTests: \(workload[0]): \((each * 10).rounded() / 10) instructions added to an event")
      // Measured: 5.5 and 7.7; the hooks skip a part of the runtime's path.
      #expect(each < Double(limit))
      let trace = try Trace(path: "\(folder)/trace")
      #expect(trace.recording.sample == 1_000_000 && trace.tables.detours.contains { $0.entryPoint == "swift_release" })
    }
  }
}
