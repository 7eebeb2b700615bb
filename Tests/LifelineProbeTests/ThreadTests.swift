import LifelineTestSupport
import LifelineTrace
import Testing

@Suite struct ThreadTests {
  @Test("Objects that pass from thread to thread are counted exactly, and threads have names and ends", arguments: ["-Onone", "-O"])
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

  @Test("Tasks, actors and Dispatch blocks are recorded without a loss", arguments: ["-Onone", "-O"])
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
}
