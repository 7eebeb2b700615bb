// object: Job#1
// While the block that holds the job runs, the job is used through an unsafe reference.
import Dispatch
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
let queue = DispatchQueue(label: "jobs")
@inline(never) func submit(_ service: Service) {
  let job = service.job!
  queue.async { job.run(); monitor.check() }
}
queue.suspend()
submit(service)
cancel(service)
queue.resume()
queue.sync {}
print("end")
