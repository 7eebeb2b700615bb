// Work parked in a suspended queue keeps its objects alive.
//
// From delegation-notifications-operations.txt, whose author found a setup that suspends a dispatch queue in each of its blocks,
// to run one of them at a time. What waits in a suspended queue keeps what it captured until the queue is resumed, or forever.
//
// Found: nothing; the parked uploads are live at exit, or gone once the queue was resumed.
import Foundation
import LifelineScenarios

enum SuspendedQueue {
  final class Upload: Sendable {
    private let gone: Gate
    init(gone: Gate) { self.gone = gone }
    func send(_ sent: Tally) { sent.add() }
    deinit { gone.open() }
  }

  nonisolated(unsafe) static var parked: [AnyObject] = []

  @inline(never) private static func fill(_ count: Int, _ add: (@escaping @Sendable () -> Void) -> Void, _ sent: Tally, _ gone: Gate) {
    for _ in 0..<count {
      let upload = Upload(gone: gone)
      add { upload.send(sent) }
    }
  }

  static func dispatch(resumes: Bool) {
    let queue = DispatchQueue(label: "setup")
    let sent = Tally(), gone = Gate()
    // As the article's setup does: the first block suspends the queue that it runs on.
    let isSuspended = Gate()
    queue.async {
      queue.suspend()
      isSuspended.open()
    }
    isSuspended.wait()
    settle()
    fill(3, { queue.async(execute: $0) }, sent, gone)
    if resumes {
      queue.resume()
      gone.waitForDeaths(3)
    }
    observe("sent", sent.count, is: resumes ? 3 : 0)
    parked.append(queue)
  }

  static func operations(resumes: Bool) {
    let queue = OperationQueue()
    queue.isSuspended = true
    let sent = Tally(), gone = Gate()
    fill(3, { queue.addOperation($0) }, sent, gone)
    if resumes {
      queue.isSuspended = false
      gone.waitForDeaths(3)
    }
    observe("sent", sent.count, is: resumes ? 3 : 0)
    parked.append(queue)
  }

  static let scenario = Scenario(
    "SuspendedQueue", "A suspended queue keeps what its work captured", from: "delegation-notifications-operations.txt",
    variants: [
      Variant("dispatch-parked", "A dispatch queue suspends itself and is never resumed.", expect: [.live("Upload", count: 3)]) { dispatch(resumes: false) },
      Variant("dispatch-resumed", "Resumed, it does its work and releases what it captured.", expect: [.live("Upload", count: 0)]) { dispatch(resumes: true) },
      Variant("operations-parked", "A suspended operation queue keeps its operations.", expect: [.live("Upload", count: 3)]) { operations(resumes: false) },
      Variant("operations-resumed", "Resumed, it does its work and releases what it captured.", expect: [.live("Upload", count: 0)]) { operations(resumes: true) },
    ])
}
