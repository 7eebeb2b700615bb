// A queue of width one is not a serial queue once its operations depend on others.
//
// From delegation-notifications-operations.txt: with maxConcurrentOperationCount 1, the author's second operation
// waits for one that is never started, and the third overtakes it. The output in the article is asserted: "op1",
// "op3"; with explicit dependencies only "op1", and the width of the queue makes no difference. Each waiting
// operation keeps what its block captured, so those payloads are live when the process ends. So is the payload of a
// finished operation that a waiting one depends on: the list of dependencies holds it, and it still has its block.
//
// Found: nothing; the live payloads show which operations still wait.
import Foundation
import LifelineScenarios

enum NotASerialQueue {
  final class Payload: Sendable {
    let number: Int
    private let gone: Gate
    init(_ number: Int, gone: Gate) {
      self.number = number
      self.gone = gone
    }
    deinit { gone.open() }
  }

  /// The order in which operations ran.
  final class Journal: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []
    private let added = Gate()

    func add(_ payload: Payload) {
      lock.withLock { entries.append("op\(payload.number)") }
      added.open()
    }

    /// The entries, as soon as there are so many.
    func text(of count: Int) -> String {
      for _ in 0..<count { added.wait() }
      return lock.withLock { entries.joined(separator: " ") }
    }
  }

  /// The queue and the operations that are still there when the process ends.
  nonisolated(unsafe) static var queue: OperationQueue?
  nonisolated(unsafe) static var awaited: Operation?

  @inline(never) private static func enqueue(_ queue: OperationQueue, _ journal: Journal, chained: Bool, gone: Gate) {
    let operations = (1...3).map { number in
      let payload = Payload(number, gone: gone)
      return BlockOperation { journal.add(payload) }
    }
    let wait = BlockOperation {}
    operations[1].addDependency(wait)
    if chained {
      operations[1].addDependency(operations[0])
      operations[2].addDependency(operations[1])
    }
    awaited = wait
    queue.addOperations(operations, waitUntilFinished: false)
  }

  static func play(chained: Bool, width: Int = 1, first: [String], then: [String] = [], freed: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    let journal = Journal(), gone = Gate()
    enqueue(queue, journal, chained: chained, gone: gone)
    observe("ran", journal.text(of: first.count), is: first.joined(separator: " "))
    if !then.isEmpty {
      awaited?.start()
      observe("ran, when the awaited operation was done", journal.text(of: then.count), is: (first + then).joined(separator: " "))
    }
    // A queue lets go of finished operations on a thread of its own.
    gone.waitForDeaths(freed)
    self.queue = queue
  }

  static let scenario = Scenario(
    "NotASerialQueue", "A queue of width one is overtaken by operations without dependencies",
    from: "delegation-notifications-operations.txt",
    variants: [
      Variant("width-one", "The third operation overtakes the second, which keeps its payload forever.", expect: [.live("Payload", count: 1)]) {
        play(chained: false, first: ["op1", "op3"], freed: 2)
      },
      Variant(
        "dependencies", "With dependencies nothing overtakes; two operations wait and keep their payloads, and the finished first one is kept too.",
        expect: [.live("Payload", count: 3)]
      ) {
        play(chained: true, first: ["op1"], freed: 0)
      },
      Variant("dependencies-wide", "With dependencies the width of the queue makes no difference.", expect: [.live("Payload", count: 3)]) {
        play(chained: true, width: 4, first: ["op1"], freed: 0)
      },
      Variant("awaited-done", "When the awaited operation is done, all run in order and nothing is kept.", expect: [.live("Payload", count: 0)]) {
        play(chained: true, first: ["op1"], then: ["op2", "op3"], freed: 3)
      },
    ])
}
