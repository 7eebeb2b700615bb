import ArgumentParser
import LifelineTrace

/// Selects what is recorded: the options of every recording.
struct ChoiceArguments: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  @Option(help: "Record only these classes ('*' matches; repeatable).")
  var only: [String] = []

  @Option(help: "Do not record these classes ('*' matches; repeatable).")
  var ignore: [String] = []

  @Flag(help: "Also record the classes of the toolchain's libraries.")
  var allClasses = false

  @Option(help: "Maximum frames of a backtrace, 1 to 1024 (default 64).")
  var frames: Int?

  @Option(
    help: """
      'lives' records allocations and frees only, 'full' also every retain and release. The default is full; check \
      begins with lives.
      """)
  var depth: RecordingDepth?

  @Option(
    help: "Record one object in N, chosen by chance, with its whole history; for example 1/64.",
    transform: { text in
      guard let fraction = SampleFraction(text) else {
        throw ValidationError("--sample takes a fraction such as 1/64, from 1/1 to 1/\(SampleFraction.largest).")
      }
      return fraction
    })
  var sample: SampleFraction?

  @Option(
    name: .customLong("retains"),
    help:
      "Record retains and releases of these classes only; allocations and frees of all ('*' matches; repeatable).")
  var retained: [String] = []

  @Option(help: "'exact' records a time for every event.")
  var time: String?

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  func validate() throws {
    if let frames, !(1...1024).contains(frames) { throw ValidationError("--frames takes a number from 1 to 1024.") }
    if let time, time != "exact" { throw ValidationError("--time takes 'exact'.") }
    if depth == .lives, !retained.isEmpty { throw ValidationError("--retains is for --depth full.") }
    if [only, ignore, retained].contains(where: { $0.count > 32 }) {
      throw ValidationError("At most 32 class patterns are allowed per option.")
    }
  }
}

extension RecordingDepth: ExpressibleByArgument {}
