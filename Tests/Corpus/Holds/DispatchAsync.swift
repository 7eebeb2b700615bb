// object: Job#1
// verdict: late
// rule: dispatch-block
// finding: none
// The service releases its job while a block with the job waits in a queue: the job dies on the queue's thread, where the
// compiler's deinit does the same as on any other.
import Dispatch
final class Job { var steps = 0; func run() { steps += 1 } }
final class Service { var job: Job? }
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
print("end")
