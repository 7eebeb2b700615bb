// class: Poller
// kind: use-after-free
// A dispatch source keeps its handler, but the handler does not keep its object.
import Dispatch
class Poller { var polls = 0; func poll() { polls += 1 } }
final class Service { var poller: Poller? }
let fired = DispatchSemaphore(value: 0)
@inline(never) func start(_ service: Service) -> DispatchSourceTimer {
  let poller = Poller() // ALLOC
  service.poller = poller
  let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "poll"))
  source.setEventHandler { [unowned(unsafe) poller] in
    poller.poll() // ACCESS
    fired.signal()
  }
  source.schedule(deadline: .now())
  return source
}
@inline(never) func stop(_ service: Service) {
  service.poller = nil // FREE
}
let service = Service()
let source = start(service)
#if !CLEAN
stop(service)
#endif
source.resume()
fired.wait()
source.cancel()
stop(service)
print("end")
