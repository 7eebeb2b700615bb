// object: Job#1
// While the run loop's block that holds the job runs, the job is used through an unsafe reference.
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
@inline(never) func plan(_ service: Service) {
  let job = service.job!
  RunLoop.main.perform { job.run(); monitor.check() }
}
plan(service)
cancel(service)
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
print("end")
