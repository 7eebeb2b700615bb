// object: Poller#1
// verdict: late
// rule: dispatch-source
// finding: none
// A source's handler holds its poller until the source has been canceled and destroyed, on its own queue.
import Dispatch
final class Poller { var polls = 0; func poll() { polls += 1 } }
final class Monitor { var poller: Poller? = Poller(); var source: DispatchSourceTimer? }
let queue = DispatchQueue(label: "poll")
let torn = DispatchSemaphore(value: 0)
@inline(never) func start(_ monitor: Monitor) {
  let poller = monitor.poller!
  let source = DispatchSource.makeTimerSource(queue: queue)
  source.setEventHandler { poller.poll() }
  source.setCancelHandler { torn.signal() }
  source.schedule(deadline: .now() + 60)
  source.resume()
  monitor.source = source
}
@inline(never) func stop(_ monitor: Monitor) {
  monitor.poller = nil // OWNER
}
let monitor = Monitor()
start(monitor)
stop(monitor)
monitor.source?.cancel()
monitor.source = nil
torn.wait()
queue.sync {}
print("end")
