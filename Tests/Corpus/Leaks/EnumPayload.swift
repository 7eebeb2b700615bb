// leak: 1 Job, 1 Worker
// path: Job.phase, Worker.job
// A cycle through an enum's payload, whose spare bits say which case it is.
final class Log { var lines = 0 }
enum Phase { case idle, failed(Log), running(Worker), done(String) }
final class Job { var phase = Phase.idle }
final class Worker {
  #if CLEAN
  unowned var job: Job
  #else
  var job: Job
  #endif
  init(_ job: Job) { self.job = job } // KEPT
}
@inline(never) func start() -> Bool {
  let job = Job() // ALLOC
  job.phase = .running(Worker(job)) // KEPT ALLOC
  if case .running(let worker) = job.phase { return worker.job === job }
  return false
}
print(start())
