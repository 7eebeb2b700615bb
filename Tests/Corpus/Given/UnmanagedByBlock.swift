// object: Job#1
// The block that holds the job stores an unmanaged reference to it, which makes no event, and uses that.
import Dispatch
class Job: @unchecked Sendable { var steps = 0; func run() { steps += 1 } }
final class Service: @unchecked Sendable {
  var job: Job? = Job()
  @inline(never) func cancel() { job = nil }
}
struct Links { var job: Unmanaged<Job>? }
final class Tracker: @unchecked Sendable {
  var links = Links()
  var count = 0
  @inline(never) func mark() {
    let job = links.job!.takeUnretainedValue()
    job.run()
    count += job.steps
  }
}
let service = Service(), tracker = Tracker(), queue = DispatchQueue(label: "jobs")
@inline(never) func submit() {
  let job = service.job!
  queue.async {
    tracker.links.job = Unmanaged.passUnretained(job)
    tracker.mark()
    job.run()
  }
}
queue.suspend()
submit()
service.cancel()
queue.resume()
queue.sync {}
print("end", tracker.count)
