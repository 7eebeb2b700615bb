import LifelineTestSupport
import LifelineTrace
import Testing

/// Programs with more objects than a ring's base line has room for.
@Suite("Flight recorder with a full base line", .startsPrograms, .timeLimit(.minutes(60)))
struct CrowdedBaseLineTests {
  @Test(
    "Objects allocated late stay known however many freed ones zombies need, and even if a thread was always idle",
    arguments: [false, true], ["", ":depth=lives"])
  func crowded(hasIdleThread: Bool, options: String) throws {
    let source = """
      import Foundation
      final class Request { var number = 1 }
      final class Client { var number = 1 }
      nonisolated(unsafe) var last = Request()
      nonisolated(unsafe) var clients: [Client] = []
      nonisolated(unsafe) let isIdle = DispatchSemaphore(value: 0)
      @inline(never) func serve(_ count: Int) { for number in 0..<count { last = Request(); last.number = number } }
      if CommandLine.arguments[1] == "true" {
        Thread.detachNewThread {
          withExtendedLifetime(Request()) { isIdle.signal(); sleep(1_000) }
        }
        isIdle.wait()
      }
      serve(300_000)
      for _ in 0..<1_000 { clients.append(Client()) }
      serve(300_000)
      print(clients.count, last.number)
      """
    let program = try TestProgram(source, options: ["-Onone"])
    let run = try RecordedRun(program, ["\(hasIdleThread)"], options: "keep=4MiB:zombies=1" + options)
    // A trace that is larger than requested would be reported.
    #expect(run.behavesTheSame)
    #expect(run.trace.problems == [] && run.summary.problems == [])
    let client = try #require(run.totals("Client")), request = try #require(run.totals("Request"))
    #expect(client.allocated == 1_000 && client.liveAtExit == 1_000)
    #expect(request.liveAtExit == (hasIdleThread ? 2 : 1))
  }

  @Test("A freed object is never shown as live, even if another thread's chunk with its allocation is discarded later")
  func crowdedByThreads() throws {
    let source = """
      import Foundation
      final class Entry { var number = 1 }
      final class Busy { var number = 1 }
      let lock = NSLock()
      nonisolated(unsafe) var entries: [Entry] = []
      nonisolated(unsafe) var isDone = false
      let isFinished = DispatchSemaphore(value: 0)
      @inline(never) func add(_ number: Int) {
        let entry = Entry()
        entry.number = number
        lock.lock()
        entries.append(entry)
        lock.unlock()
      }
      @inline(never) func drop() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        let isAtEnd = isDone
        entries.removeAll()
        return isAtEnd
      }
      Thread.detachNewThread {
        // Its chunks are full sooner.
        let busy = Unmanaged.passRetained(Busy())
        while !drop() { for _ in 0..<200 { _ = busy.retain(); busy.release() } }
        isFinished.signal()
      }
      for number in 0..<800_000 { add(number) }
      lock.lock()
      isDone = true
      lock.unlock()
      isFinished.wait()
      print(entries.count)
      """
    let program = try TestProgram(source, options: ["-Onone"])
    for options in ["", ":zombies=1"] {
      let run = try RecordedRun(program, options: "keep=4MiB" + options)
      #expect(run.plain.output == "0\n" && run.traced.output == "0\n" && run.traced.status == 0)
      // How many are live at once, and so what the tables need, depends on the scheduling.
      let larger =
        "lifeline: The trace is larger than --keep: each thread writes its own chunk of 256 KiB, and the tables need "
        + "space too.\n"
      #expect(["", larger].contains(run.traced.errors))
      #expect(run.trace.problems == [] && run.summary.problems == [])
      let entry = try #require(run.totals("Entry"))
      #expect(
        entry.allocated == 800_000 && entry.liveAtExit == 0,
        "\(entry.allocated) allocated, \(entry.liveAtExit) live; keep\(options); \(run.traced.errors)")
    }
  }

  @Test(
    "An object that stays has its number in order of allocation, however many of its class come and go after it",
    arguments: ["", ":depth=lives"])
  func numbers(options: String) throws {
    let source = """
      final class Node { var number = 1 }
      nonisolated(unsafe) var kept: [Node] = []
      @inline(never) func make(_ number: Int) -> Node {
        let node = Node()
        node.number = number
        return node
      }
      for number in 0..<800_000 {
        let node = make(number)
        if number % 200_000 == 100 { kept.append(node) }
      }
      print(kept.count)
      """
    let run = try RecordedRun(try TestProgram(source, options: ["-Onone"]), options: "keep=2MiB" + options)
    #expect(run.behavesTheSame && run.trace.problems == [] && run.summary.problems == [])
    let nodes = run.summary.tracker.liveObjects.map(run.summary.tracker.id).filter { $0.className.hasSuffix(".Node") }
    #expect(nodes.map(\.number) == [101, 200_101, 400_101, 600_101])
  }

  @Test("A use of a freed object that the full base line has forgotten names its class, and nothing is live for it")
  func forgotten() throws {
    let source = """
      final class Request { var number = 1 }
      class Client {
        var number = 1
        func serve() -> Int { number }
      }
      nonisolated(unsafe) var requests: [Request] = []
      func leave() -> Unmanaged<Client> { Unmanaged.passUnretained(Client()) }
      let client = leave()
      for number in 0..<900_000 {
        let request = Request()
        request.number = number
        if number % 3 == 0 { requests.append(request) }
      }
      // Twice, but the class is told once.
      for _ in 0..<2 { client._withUnsafeGuaranteedRef { _ = $0.serve() } }
      print(requests.count)
      """
    let program = try TestProgram(source, options: ["-Onone"])
    let run = try RecordedRun(program, options: "keep=4MiB:zombies=1:on-use-after-free=continue")
    #expect(run.trace.problems == [] && run.summary.problems == [])
    let access = try #require(run.summary.tracker.accesses.first)
    #expect(access.object.className.hasSuffix(".Client") && access.object.number == 0)
    let client = try #require(run.totals("Client"))
    #expect(client.allocated == 1 && client.liveAtExit == 0)
  }
}
