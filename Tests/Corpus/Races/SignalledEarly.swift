// class: Job
// kind: use-after-free
// A worker signals that it is done before it counts its work in the job; the thread that waited for it releases the job.
import Foundation
class Job { var rounds = 0; func count() { rounds += 1 } }
final class Worker: @unchecked Sendable {
  private let job: Unmanaged<Job>
  private let isDone = DispatchSemaphore(value: 0)
  init(_ job: Job) { self.job = .passUnretained(job) }
  func wait() { isDone.wait() }
  @inline(never) func work() {
    #if CLEAN
    finish()
    isDone.signal()
    #else
    isDone.signal()
    finish()
    #endif
  }
  @inline(never) private func finish() {
    job._withUnsafeGuaranteedRef { $0.count() } // ACCESS
  }
}
final class App: @unchecked Sendable {
  var job: Job? = Job() // ALLOC
  @inline(never) func end(_ worker: Worker) {
    worker.wait()
    usleep(3000)
    job = nil // FREE
  }
}
let app = App()
let worker = Worker(app.job!)
let over = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  worker.work()
  over.signal()
}
app.end(worker)
over.wait()
print("end")
