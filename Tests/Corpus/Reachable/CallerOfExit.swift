// The caller of the function that calls `exit` has an object in a variable, at -O in a register that no function of the
// program saves.
import Foundation
final class Job {
  var steps = [1, 2, 3]
  var next: Job?
}
nonisolated(unsafe) var limit = 3
@inline(never) func leave(_ code: Int) {
  if code == 3 { exit(0) }
}
@inline(never) func step(_ job: Job) -> Int { job.steps.reduce(0, +) - limit }
@inline(never) func make() -> Job {
  let job = Job()
  job.next = Job()
  return job
}
@inline(never) func run() -> Int {
  let job = make()
  leave(step(job))
  return step(job) + step(job.next!)
}
print(run())
