// An operation whose completion block holds the operation.
//
// From delegation-notifications-operations.txt, whose author looks for retain cycles through completion blocks in a framework's
// operations. The operation holds its completion block and the block holds the operation until the operation drops the block;
// one that never runs keeps itself alive forever. On Apple's systems the block is dropped after it was called. Foundation on
// Linux keeps it (measured with Swift 6.3.1), so here even an operation that ran stays, unless the block captures it weakly.
//
// Found: the cycle of an operation that stays; one whose block captures it weakly is freed.
import Foundation
import LifelineScenarios

enum CompletionBlockHoldsOperation {
  final class Fetch: Operation, @unchecked Sendable {
    private let queued: Gate
    private let gone: Gate
    private(set) var records = 0
    init(queued: Gate, gone: Gate) {
      self.queued = queued
      self.gone = gone
    }
    override func main() {
      queued.wait()
      records = 3
    }
    deinit { gone.open() }
  }

  @inline(never) private static func makeFetch(weakly: Bool, queued: Gate, done: Gate, gone: Gate, _ seen: Tally) -> Fetch {
    let fetch = Fetch(queued: queued, gone: gone)
    if weakly {
      fetch.completionBlock = { [weak fetch] in
        for _ in 0..<(fetch?.records ?? 0) { seen.add() }
        done.open()
      }
    } else {
      fetch.completionBlock = {
        for _ in 0..<fetch.records { seen.add() }
        done.open()
      }
    }
    return fetch
  }

  final class Client {
    private let queue = OperationQueue()
    private var fetch: Fetch?
    @inline(never) func start(_ fetch: Fetch) {
      self.fetch = fetch
      queue.addOperation(fetch)
    }
    @inline(never) func forget() { fetch = nil }
  }

  static func play(weakly: Bool, runs: Bool) {
    let queued = Gate(), done = Gate(), gone = Gate(), seen = Tally()
    let client = Client()
    if runs {
      client.start(makeFetch(weakly: weakly, queued: queued, done: done, gone: gone, seen))
      // It runs when only the queue holds it.
      client.forget()
      queued.open()
      done.wait()
    } else {
      _ = makeFetch(weakly: weakly, queued: queued, done: done, gone: gone, seen)
    }
    // The queue lets go of a finished operation on a thread of its own.
    if weakly {
      gone.waitForDeaths()
    } else {
      settle()
      overwriteWorkerStacks()
    }
    observe("records seen by the completion block", seen.count, is: runs ? 3 : 0)
  }

  static let scenario = Scenario(
    "CompletionBlockHoldsOperation", "An operation and its completion block hold each other", from: "delegation-notifications-operations.txt",
    variants: [
      Variant("never-run", "The operation is dropped before it runs, and stays forever.", expect: [.live("Fetch", count: 1)]) {
        play(weakly: false, runs: false)
      },
      Variant("never-run-weak", "A block that captures weakly lets it be freed.", expect: [.live("Fetch", count: 0)]) { play(weakly: true, runs: false) },
      Variant("run", "On Linux an operation keeps its completion block, and so itself, after it ran.", expect: [.live("Fetch", count: 1)]) {
        play(weakly: false, runs: true)
      },
      Variant(
        "run-weak", "A block that captures weakly lets an operation that ran be freed; the queue holds it a moment longer than its client.",
        expect: [.found("late-deallocation", "Fetch#1", severity: "warning", holder: "OperationQueue"), .live("Fetch", count: 0)]
      ) {
        play(weakly: true, runs: true)
      },
    ])
}
