// object: Player#1
// verdict: late
// rule: dispatch-block
// finding: none
// A block's end on a queue enqueues the isolated deinit on the main actor. Optimized code leaves none of its frames there.
import Dispatch
import Foundation
@MainActor final class Player {
  var played = 0
  func play() { played += 1 }
  isolated deinit { print("ended", Thread.isMainThread) }
}
@MainActor final class Screen {
  var player: Player? = Player()
  @inline(never) func close() {
    player = nil // OWNER
  }
  @inline(never) func preload(_ queue: DispatchQueue, _ closed: DispatchSemaphore) {
    let player = player!
    queue.async {
      closed.wait()
      withExtendedLifetime(player) {}
    }
  }
}
let queue = DispatchQueue(label: "preload"), closed = DispatchSemaphore(value: 0)
MainActor.assumeIsolated {
  let screen = Screen()
  screen.player?.play()
  screen.preload(queue, closed)
  screen.close()
}
closed.signal()
queue.sync {}
RunLoop.main.run(until: Date().addingTimeInterval(0.05))
print("end")
