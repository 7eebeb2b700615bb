// object: Poller#1
// verdict: on time
// rule:
// finding: none
// The source's handler outlives the poller that owns the source: a context that ends late needs no report.
import Dispatch
final class Poller: @unchecked Sendable {
  let timer: any DispatchSourceTimer
  var ticks = 0
  let done = DispatchSemaphore(value: 0)
  init(_ queue: DispatchQueue) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(5))
    timer.setEventHandler { [weak self] in self?.tick() }
  }
  func start() { timer.resume() }
  @inline(never) func tick() {
    ticks += 1
    if ticks == 3 {
      timer.cancel()
      done.signal()
    }
  }
}
let queue = DispatchQueue(label: "poll")
@inline(never) func run() {
  let poller = Poller(queue)
  poller.start()
  poller.done.wait()
}
run()
queue.sync {}
print("end")
