// leak: 1 Job, 1 Report
// path: Job.report, Report.job
// A function of the main thread lost them and returned, as a later object shows, before dispatchMain() ended the thread.
import Dispatch
import Glibc
final class Job { var report: Report?; let number: Int; init(_ number: Int) { self.number = number } }
final class Report {
  #if CLEAN
  weak var job: Job?
  #else
  var job: Job?
  #endif
}
@inline(never) func link(_ job: Job, _ report: Report) {
  job.report = report // KEPT
  report.job = job // KEPT
}
@inline(never) func prepare(_ number: Int) -> Int {
  let job = Job(number) // ALLOC
  link(job, Report()) // ALLOC KEPT-CALL
  return job.number
}
final class Daemon {
  var served = 0
  func stop() { print("served", served); exit(0) }
}
print(prepare(3)) // KEPT-CALL
let daemon = Daemon()
DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { daemon.stop() }
dispatchMain()
