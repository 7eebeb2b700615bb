// leak: 1 Receipt
// path:
// change: Have each executor run the jobs that it was given
// not: continuation
// An executor that has been stopped forgets the jobs it is given, so their tasks never go on.
import Synchronization

final class Lane: SerialExecutor, Sendable {
  private let isStopped = Mutex(false)
  private let given = Mutex(0)
  func enqueue(_ job: consuming ExecutorJob) {
    given.withLock { $0 += 1 }
    if !isStopped.withLock({ $0 }) { UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor()) }
  }
  func stop() { isStopped.withLock { $0 = true } }
  var count: Int { given.withLock { $0 } }
}

actor Ledger {
  private let lane: Lane
  private var entries: [String] = []
  init(_ lane: Lane) { self.lane = lane }
  nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }
  func add(_ entry: String) { entries.append(entry) }
}

final class Receipt: Sendable { let number = 7 }

@inline(never) func print(into ledger: Ledger) {
  let receipt = Receipt() // ALLOC
  Task { await ledger.add("receipt \(receipt.number)") } // KEPT
}

let lane = Lane()
let ledger = Ledger(lane)
@inline(never) func run() async {
  #if !CLEAN
  lane.stop()
  #endif
  print(into: ledger)
  while lane.count == 0 { try? await Task.sleep(nanoseconds: 1_000_000) }
  try? await Task.sleep(nanoseconds: 20_000_000)
}
await run()
print("done")
