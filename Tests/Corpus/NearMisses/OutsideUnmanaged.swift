// object: Job#1
// Outside of the block that holds the job, the job is used through an Unmanaged reference.
import Dispatch
class Job: @unchecked Sendable { var steps = 0; func run() { steps += 1 } }
final class Service: @unchecked Sendable { var job: Job? = Job() }
nonisolated(unsafe) var kept = 0
@inline(never) func keep(_ job: Job) { kept += job.steps }
final class Monitor: @unchecked Sendable {
#if CLEAN
  weak var job: Job?
  init(_ job: Job) { self.job = job }
  @inline(never) func check() { job?.run() }
#else
  let job: Unmanaged<Job>
  init(_ job: Job) { self.job = .passUnretained(job) }
  @inline(never) func check() {
    let job = self.job.takeUnretainedValue() // ACCESS
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
  queue.async { job.run() }
}
queue.suspend()
submit(service)
cancel(service)
monitor.check()
queue.resume()
queue.sync {}
print("end")
