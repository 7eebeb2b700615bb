import Glibc

/// Runs a workload on its threads and prints how many nanoseconds it took, without the start of the process.
@main
enum Benchmark {
  static func main() {
    let options = WorkloadOptions(CommandLine.arguments)
    precondition(makeRareObjects() == 100, "The rare objects were not made.")
    let workers = (0..<options.threads).map { _ in
      WorkerThread {
        let result = options.workload.run(count: options.count, frames: options.frames, keys: options.keys)
        precondition(result != 0, "The work was not done.")
      }
    }
    let begin = nanoseconds()
    workers.forEach { $0.start() }
    workers.forEach { $0.join() }
    print(nanoseconds() - begin)
  }

  private static func nanoseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }
}
