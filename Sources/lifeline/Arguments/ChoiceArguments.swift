import ArgumentParser
import LifelineTrace

/// What is recorded: the options of every recording.
struct ChoiceArguments: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  @Option(help: "Record these classes only ('*' matches; repeatable).")
  var only: [String] = []

  @Option(help: "Do not record these classes ('*' matches; repeatable).")
  var ignore: [String] = []

  @Flag(help: "Record the classes of the toolchain's libraries too.")
  var allClasses = false

  @Option(help: "Deepest backtrace kept, 1 to 1024 frames (default 64).")
  var frames: Int?

  @Option(help: "'lives' records births and deaths only, 'full' every retain and release (default).")
  var depth: RecordingDepth?

  @Option(help: "1/N, as 1/64: record one object of N, chosen by its address, with its whole history.")
  var sample: SampleFraction?

  @Option(
    name: .customLong("retains"),
    help:
      "Record retains and releases of these classes only, of the others births and deaths ('*' matches; repeatable).")
  var retained: [String] = []

  @Option(help: "'exact' gives every event its own time.")
  var time: String?

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  func validate() throws {
    if let frames, !(1...1024).contains(frames) { throw ValidationError("--frames takes a number from 1 to 1024.") }
    if let time, time != "exact" { throw ValidationError("--time takes 'exact'.") }
    if depth == .lives, !retained.isEmpty { throw ValidationError("--retains is for --depth full.") }
    if [only, ignore, retained].contains(where: { $0.count > 32 }) {
      throw ValidationError("At most 32 class patterns of a kind can be given.")
    }
  }
}

extension RecordingDepth: ExpressibleByArgument {}
