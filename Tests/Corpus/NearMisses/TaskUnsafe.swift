// object: Job#1
// While the task that holds the job runs, the job is used through an unsafe reference.
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
let started = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
@inline(never) func start(_ service: Service) {
  let job = service.job!
  Task.detached {
    try? await Task.sleep(nanoseconds: 30_000_000)
    work(job)
    done.signal()
  }
}
@inline(never) func work(_ job: Job) {
  job.run()
  monitor.check()
}
start(service)
cancel(service)
done.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
