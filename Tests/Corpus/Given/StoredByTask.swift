// object: Job#1
// The task that holds the job gives it to an asynchronous function, which stores it and uses that after a suspension.
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
let service = Service(), tracker = Tracker()
let (gate, open) = AsyncStream<Void>.makeStream()
@inline(never) func process(_ job: Job) async {
  tracker.job = job
  await Task.yield()
  tracker.mark()
  job.run()
}
@inline(never) func submit() -> Task<Void, Never> {
  let job = service.job!
  return Task.detached {
    for await _ in gate { break }
    await process(job)
  }
}
let task = submit()
service.cancel()
open.yield()
await task.value
print("end", tracker.count)
