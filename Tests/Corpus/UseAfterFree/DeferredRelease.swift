// class: Job
// kind: use-after-free
// The object is freed in the middle of a function that still uses it.
class Job { var steps = 1; func step() -> Int { steps } }
final class Runner { var job: Job? }
@inline(never) func start(_ runner: Runner) {
  runner.job = Job() // ALLOC
}
@inline(never) func finish(_ runner: Runner) {
  runner.job = nil // FREE
}
@inline(never) func run(_ runner: Runner) -> Int {
  let job = Unmanaged.passUnretained(runner.job!)
  #if !CLEAN
  finish(runner)
  #endif
  return job._withUnsafeGuaranteedRef { $0.step() } // ACCESS
}
let runner = Runner()
start(runner)
print(run(runner) >= 0)
finish(runner)
