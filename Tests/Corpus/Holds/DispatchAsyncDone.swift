// object: Job#1
// verdict: on time
// rule: 
// finding: none
// The block has run and is gone when the owner releases the object.
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
submit(service)
queue.sync {}
queue.sync {}
cancel(service)
print("end")
