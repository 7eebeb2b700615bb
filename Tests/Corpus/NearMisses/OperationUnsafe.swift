// object: Job#1
// While the operation that holds the job runs, the job is used through an unsafe reference.
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
let operations = OperationQueue()
@inline(never) func begin(_ service: Service) {
  let job = service.job!
  operations.addOperation { job.run(); monitor.check() }
}
operations.isSuspended = true
begin(service)
cancel(service)
operations.isSuspended = false
operations.waitUntilAllOperationsAreFinished()
Thread.sleep(forTimeInterval: 0.05)
print("end")
