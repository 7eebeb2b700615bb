import ArgumentParser

/// Where the trace of a recording goes.
struct TraceFileArguments: ParsableArguments {
  @Option(name: .shortAndLong, help: "Trace file; %p is the process ID, %e the program's name.")
  var output: String?
}
