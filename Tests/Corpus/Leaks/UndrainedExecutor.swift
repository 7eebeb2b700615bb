// leak: 1 Lane, 1 Ledger, 1 Receipt
// path: Lane.jobs, Ledger.lane
// change: Have the task's executor run the job that it was given
// not: continuation
// An actor's executor collects jobs for somebody to run, and nobody does: the task of one waits for that alone.
import Synchronization

final class Lane: SerialExecutor, Sendable {
  private let jobs = Mutex<[UnownedJob]>([])
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }
  func drain() {
    while let job = jobs.withLock({ $0.popLast() }) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
  var count: Int { jobs.withLock { $0.count } }
}

actor Ledger {
  private let lane: Lane
  private var entries: [String] = []
  init(_ lane: Lane) { self.lane = lane }
  nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }
  func add(_ entry: String) { entries.append(entry) }
}

final class Receipt: Sendable { let number = 7 }

@inline(never) func run() async {
  let lane = Lane() // ALLOC
  let ledger = Ledger(lane) // KEPT-CALL
  let receipt = Receipt()
  Task { await ledger.add("receipt \(receipt.number)") } // KEPT
  while lane.count == 0 { try? await Task.sleep(nanoseconds: 1_000_000) }
  #if CLEAN
  lane.drain()
  try? await Task.sleep(nanoseconds: 20_000_000)
  #endif
}
await run()
print("done")
