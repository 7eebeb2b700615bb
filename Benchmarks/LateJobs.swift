// Work for Scripts/benchmark-diagnosis: millions of events, and with "late" jobs that a dispatch queue keeps beyond
// their owner, with "dangling" also a message to a freed one at the very end.
import Dispatch

class Job {
  var steps = 0
  func run() { steps += 1 }
}

final class Service { var job: Job? }

final class Monitor {
  unowned(unsafe) let job: Job
  init(_ job: Job) { self.job = job }
  @inline(never) func check() { job.run() }
}

let mode = CommandLine.arguments.last ?? ""
let queue = DispatchQueue(label: "jobs")
let service = Service()
var kept = (0..<16).map { _ in Job() }

@inline(never) func submit() {
  let job = Job()
  service.job = job
  queue.async { job.run() }
}

@inline(never) func cancel() { service.job = nil }

@inline(never) func churn(_ count: Int) {
  for index in 0..<count {
    let job = kept[index % 16]
    kept[(index + 3) % 16] = job
    if index % 4 == 0 { kept[index % 16] = Job() }
  }
}

for round in 0..<60 {
  if mode != "plain" {
    submit()
    cancel()
  }
  churn(50_000)
  if round % 8 == 0 { queue.sync {} }
}
if mode == "dangling" {
  submit()
  queue.sync {}
  let monitor = Monitor(service.job!)
  cancel()
  queue.sync {}
  monitor.check()
}
