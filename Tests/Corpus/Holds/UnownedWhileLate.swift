// object: Job#1
// verdict: late
// rule: dispatch-block
// finding: near-miss
// The same through an unowned reference, which would have trapped without the hold.
import Dispatch
class Job { var steps = 0; func run() { steps += 1 } }
final class Service { var job: Job? = Job() }
final class Monitor {
  unowned let job: Job
  init(_ job: Job) { self.job = job }
  @inline(never) func check() {
    job.run() // ACCESS
  }
}
let queue = DispatchQueue(label: "jobs")
@inline(never) func submit(_ service: Service) -> Monitor {
  let job = service.job!
  queue.async { job.run() }
  return Monitor(job)
}
@inline(never) func cancel(_ service: Service) {
  service.job = nil // OWNER
}
let service = Service()
queue.suspend()
let monitor = submit(service)
cancel(service)
monitor.check()
queue.resume()
queue.sync {}
print("end")
