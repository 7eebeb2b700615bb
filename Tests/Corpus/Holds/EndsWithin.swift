// object: Job#1
// verdict: late
// rule: dispatch-block
// finding: late-deallocation
// The compiler generated the job's deinit, but its file ends with it, and a file's closing is written in source.
import Dispatch
final class File { let number = 3; deinit { closed += number } }
final class Job { let file = File(); var steps = 0; func run() { steps += file.number } }
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
