// leak: 2 Job
// path: Job.other
// change: Let the 2 tasks that wait at
// Two tasks wait for each other's end, with what they work on in their frames. No property that is cleared or made weak
// frees it, since tasks that wait keep themselves.
final class Job: @unchecked Sendable { var other: Task<Void, Never>?; var runs = 0 }
@MainActor @inline(never) func wait(_ job: Job) async {
  await job.other?.value // KEPT
  job.runs += 1
}
@MainActor @inline(never) func start() {
  let first = Job(), second = Job() // ALLOC
  first.other = Task { await wait(second) } // KEPT
  #if !CLEAN
  second.other = Task { await wait(first) } // KEPT
  #endif
}
start()
try? await Task.sleep(nanoseconds: 50_000_000)
print("end")
