// object: Job#1
// The block that holds the job stores it in an older tracker, directly, since the class is final, and uses that.
import Dispatch
class Job: @unchecked Sendable { var steps = 0; func run() { steps += 1 } }
final class Service: @unchecked Sendable {
  var job: Job? = Job()
  @inline(never) func cancel() { job = nil }
}
final class Tracker: @unchecked Sendable {
  unowned(unsafe) var job: Job?
  var count = 0
  @inline(never) func mark() {
    job?.run()
    count += job?.steps ?? 0
  }
}
let service = Service(), tracker = Tracker(), queue = DispatchQueue(label: "jobs")
@inline(never) func submit() {
  let job = service.job!
  queue.async {
    tracker.job = job
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
