// object: Job#1
// While the posted block runs, which is the job's only holder by then, the job is used through an unsafe reference.
import Foundation
class Job: @unchecked Sendable { var steps = 0; func run() { steps += 1 } }
final class Service: @unchecked Sendable { var job: Job? = Job() }
nonisolated(unsafe) var kept = 0
@inline(never) func keep(_ job: Job) { kept += job.steps }
final class Monitor: @unchecked Sendable {
#if CLEAN
  weak var job: Job?
#else
  unowned(unsafe) let job: Job
#endif
  init(_ job: Job) { self.job = job }
#if CLEAN
  @inline(never) func check() { job?.run() }
#else
  @inline(never) func check() {
    job.run() // ACCESS
    keep(job) // ACCESS
  }
#endif
}
@inline(never) func cancel(_ service: Service) { service.job = nil }
let service = Service()
let monitor = Monitor(service.job!)
let name = Notification.Name("Changed")
nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []
@inline(never) func open(_ service: Service) {
  let job = service.job!
  tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
    job.steps += 1
    close(service)
    monitor.check()
  })
}
@inline(never) func close(_ service: Service) {
  for token in tokens { NotificationCenter.default.removeObserver(token) }
  tokens.removeAll()
  cancel(service)
}
open(service)
NotificationCenter.default.post(name: name, object: nil)
print("end")
