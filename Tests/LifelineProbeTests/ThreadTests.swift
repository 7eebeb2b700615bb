import Glibc
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ThreadTests {
  @Test(
    "Objects passed between threads are counted exactly, and threads have their names",
    arguments: ["-Onone", "-O"])
  func threads(_ level: String) throws {
    let source = """
      import Foundation
      final class Box { let value: Int; init(_ value: Int) { self.value = value } }
      let setName = unsafeBitCast(
        dlsym(nil, "pthread_setname_np"), to: (@convention(c) (pthread_t, UnsafePointer<CChar>) -> Int32).self)
      let lock = NSLock()
      nonisolated(unsafe) var shared = Box(0)
      let group = DispatchGroup()
      for index in 0..<200 {
        group.enter()
        let thread = Thread {
          _ = setName(pthread_self(), "worker-\\(index)")
          for _ in 0..<20 { let box = Box(index); lock.lock(); shared = box; lock.unlock() }
          group.leave()
        }
        thread.start()
      }
      group.wait()
      print(shared.value >= 0)
      """
    let run = try RecordedRun(try TestProgram(source, options: [level]))
    #expect(run.behavesTheSame)
    let box = try #require(run.totals("Box"))
    #expect([box.allocated, box.liveAtExit, box.freed] == [4001, 1, 4000])
    #expect(run.summary.tracker.unattributed == 0)
    #expect(run.trace.tables.threads.count == 201)
    #expect(run.trace.tables.threads.values.contains { $0.name == "worker-17" })
    #expect(run.trace.recording.counters.filter { $0.name.hasPrefix("lost") } == [])
  }

  @Test("Tasks, actors and Dispatch blocks are recorded without lost events", arguments: ["-Onone", "-O"])
  func concurrency(_ level: String) throws {
    let source = """
      import Dispatch
      final class Box: Sendable { let value: Int; init(_ value: Int) { self.value = value } }
      actor Sum { var total = 0; func add(_ box: Box) { total += box.value } }
      let sum = Sum()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<300 { group.addTask { await sum.add(Box(index)) } }
      }
      print(await sum.total)
      let group = DispatchGroup()
      for index in 0..<100 { DispatchQueue.global().async(group: group) { precondition(Box(index).value == index) } }
      group.wait()
      """
    let run = try RecordedRun(try TestProgram(source, options: [level]))
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "44850\n")
    if level == "-Onone" {
      let box = try #require(run.totals("Box"))
      #expect([box.allocated, box.liveAtExit] == [400, 0])
    }
    #expect(run.trace.recording.counters.filter { $0.name.hasPrefix("lost") } == [])
  }

  /// Events that fit into the reader's window are always put in order. Beyond that, a thread that is preempted in the
  /// middle of its changes may leave some events that cannot be ordered.
  @Test(
    "When threads contend for the same objects, every event's count follows from the previous event",
    arguments: ["-Onone", "-O"], [300, 5000])
  func contention(_ level: String, _ rounds: Int) throws {
    let source = """
      import Foundation
      final class Box { var value = 0 }
      final class Holder { var box: Box; init(_ box: Box) { self.box = box } }
      nonisolated(unsafe) var boxes = (0..<3).map { _ in Box() }
      @inline(never) func touch(_ holder: Holder, _ kept: inout [Box], _ index: Int) {
        let box = holder.box
        kept.append(box)
        holder.box = boxes[index % 3]
        if index % 5 == 4 { kept.removeAll() }
      }
      let group = DispatchGroup()
      for thread in 0..<4 {
        group.enter()
        Thread {
          let holder = Holder(boxes[thread % 3])
          var kept: [Box] = []
          for index in 0..<Int(CommandLine.arguments[1])! { touch(holder, &kept, index &+ thread) }
          group.leave()
        }.start()
      }
      group.wait()
      print(boxes.count)
      """
    let run = try RecordedRun(try TestProgram(source, options: [level]), ["\(rounds)"])
    #expect(run.behavesTheSame)
    let box = try #require(run.totals("Box"))
    #expect(box.retains > rounds * 8)
    #expect(rounds == 300 ? box.gaps == 0 : box.gaps * 1000 < box.retains, "\(box.gaps) gaps")
    #expect(run.summary.tracker.reordered == 0)
    #expect(run.summary.tracker.unattributed == 0)
  }

  @Test("Threads that first use an object in the last round of destructors share one stream")
  func destructors() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      nonisolated(unsafe) var key = pthread_key_t()
      @inline(never) func use(_ node: Node) { precondition(node.value == 1) }
      pthread_key_create(&key) { value in
        let round = Int(bitPattern: value)
        if round < 4 { pthread_setspecific(key, UnsafeRawPointer(bitPattern: round + 1)) } else { use(Node()) }
      }
      for _ in 0..<100 {
        var thread = pthread_t()
        pthread_create(
          &thread, nil, { _ in pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1)); return nil }, nil)
        pthread_join(thread, nil)
      }
      print("done")
      """
    let program = try TestProgram(source)
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        program.path, [],
        environment: [
          "LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/trace",
          "SWIFT_BACKTRACE": "enable=no",
        ], folder: folder)
      #expect(result == CommandResult(output: "done\n", errors: "", status: 0))
      let trace = try Trace(path: "\(folder)/trace")
      let summary = try LifetimeSummary(trace)
      #expect(trace.problems == [] && summary.problems == [])
      let node = try #require(summary.tracker.classes.first { $0.name.hasSuffix(".Node") })
      #expect(node.allocated == 100 && node.liveAtExit == 0)
      var status = stat()
      #expect(stat(trace.path, &status) == 0 && status.st_size < 4 << 20)
    }
  }
}
