import Glibc

/// What one run of the workloads is asked to do.
struct WorkloadOptions {
  let workload: Workload
  var frames = 10
  var threads = 1
  var count: Int
  /// Of the mixed workload: half of them are alive.
  var keys = 150_000

  /// Reads the command line; wrong usage ends the process with status 64 and a sentence.
  init(_ arguments: [String]) {
    guard arguments.count > 1, let workload = Workload(rawValue: arguments[1]) else {
      let names = Workload.allCases.map(\.rawValue).joined(separator: "|")
      Self.fail("usage: lifeline-workloads \(names) [--frames N] [--threads N] [--count N] [--keys N]")
    }
    self.workload = workload
    count = workload.defaultCount
    var rest = arguments.dropFirst(2)
    while let option = rest.popFirst() {
      guard let text = rest.popFirst(), let number = Int(text), number >= 0 else {
        Self.fail("\(option) needs a number that is not negative.")
      }
      switch option {
      case "--frames": frames = number
      case "--threads": threads = number
      case "--count": count = number
      case "--keys": keys = max(2, number)
      default: Self.fail("there is no option \(option).")
      }
    }
  }

  private static func fail(_ sentence: String) -> Never {
    let line = "lifeline-workloads: \(sentence)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, line.utf8.count) }
    exit(64)
  }
}
