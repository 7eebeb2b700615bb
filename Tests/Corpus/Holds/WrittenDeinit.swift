// object: Job#1
// verdict: late
// rule: dispatch-block
// finding: late-deallocation
// Like DispatchAsync, but the deinit is written in source, and now another thread runs it.
import Dispatch
final class Job { var steps = 0; func run() { steps += 1 }; deinit { closed += steps } }
final class Service { var job: Job? }
nonisolated(unsafe) var closed = 0
let queue = DispatchQueue(label: "jobs")
@inline(never) func submit(_ service: Service) {
  let job = Job()
  service.job = job
  queue.async { job.run() }
}
@inline(never) func cancel(_ service: Service) {
  service.job = nil // OWNER
}
let service = Service()
queue.suspend()
submit(service)
cancel(service)
queue.resume()
queue.sync {}
print("end", closed)
