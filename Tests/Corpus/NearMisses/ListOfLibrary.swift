// object: Job#1
// An array of Foundation owned the job. While only the block that holds it runs, a probe uses it unsafely.
import Foundation
class Job: @unchecked Sendable { var steps = 0; func run() { steps += 1 } }
final class Registry: @unchecked Sendable {
  private let list = NSMutableArray()
  @inline(never) func add(_ job: Job) { list.add(job) }
  @inline(never) func first() -> Job { list[0] as! Job }
  @inline(never) func clear() { list.removeAllObjects() }
}
final class Probe: @unchecked Sendable {
  var count = 0
#if CLEAN
  weak var job: Job?
#else
  unowned(unsafe) let job: Job
#endif
  init(_ job: Job) { self.job = job }
#if CLEAN
  @inline(never) func look() { job?.run() }
#else
  @inline(never) func look() {
    job.run() // ACCESS
    count += job.steps // ACCESS
  }
#endif
}
let registry = Registry(), queue = DispatchQueue(label: "jobs")
@inline(never) func make() -> Probe {
  let job = Job()
  registry.add(job)
  return Probe(job)
}
@inline(never) func submit(_ probe: Probe) {
  let job = registry.first()
  queue.async {
    job.run()
    probe.look()
  }
}
let probe = make()
queue.suspend()
submit(probe)
registry.clear()
queue.resume()
queue.sync {}
print("end", probe.count >= 0)
