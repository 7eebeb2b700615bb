import ArgumentParser
import Glibc

/// The number of parallel runs, and the time limit of each.
struct PoolArguments: ParsableArguments {
  @Option(name: .customLong("jobs"), help: "Runs at the same time (default: one per core).")
  var chosenJobs: Int?

  @Option(help: "Time limit of one run in seconds; a longer run is ended and reported.")
  var limit = 60

  var jobs: Int { chosenJobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  func validate() throws {
    if !(1...86400).contains(limit) { throw ValidationError("--limit takes a number of seconds from 1 to 86400.") }
    if let chosenJobs, !(1...256).contains(chosenJobs) {
      throw ValidationError("--jobs takes a number from 1 to 256.")
    }
  }
}
