import ArgumentParser
import LifelineRecording
import LifelineTrace

/// The options that `record` and `check` share.
struct RecordingArguments: ParsableArguments {
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
    help:
      "Most that recording may add to the program's own processor time, as 5%: beyond it fewer objects are recorded.")
  var maxOverhead: Percentage?

  @Option(
    help:
      "256MiB or 60s: keep so much of the trace, the latest; of what was before, class, birth and count of what lives.",
    transform: { text in
      guard let limit = KeepLimit(text) else {
        throw ValidationError("Keep a size from 2MiB to 256GiB, or a time, as 256MiB or 60s.")
      }
      return limit
    })
  var keep: KeepLimit?

  @Option(
    name: .customLong("retains"),
    help:
      "Record retains and releases of these classes only, of the others births and deaths ('*' matches; repeatable).")
  var retained: [String] = []

  @Option(help: "'exact' gives every event its own time.")
  var time: String?

  @Flag(inversion: .prefixedNo, help: "Keep freed objects, so that a message to one is caught.")
  var zombies: Bool?

  @Option(help: "Bytes of freed objects that are kept (default 64 MiB).")
  var quarantine: Int?

  @Option(
    name: .customLong("guard"),
    help:
      "Give these classes guard pages: reads and writes of their freed objects are caught ('*' matches; repeatable).")
  var guards: [String] = []

  @Option(name: .customLong("on-use-after-free"), help: "stop or continue.")
  var onUseAfterFree: RecordingOptions.OnUseAfterFree?

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  func validate() throws {
    if let frames, !(1...1024).contains(frames) { throw ValidationError("--frames takes a number from 1 to 1024.") }
    if let time, time != "exact" { throw ValidationError("--time takes 'exact'.") }
    if sample != nil, !guards.isEmpty {
      throw ValidationError("--sample and --guard exclude each other: guard pages give objects other addresses.")
    }
    if maxOverhead != nil, !guards.isEmpty {
      throw ValidationError("--max-overhead and --guard exclude each other: guard pages give objects other addresses.")
    }
    if depth == .lives, !retained.isEmpty { throw ValidationError("--retains is for --depth full.") }
    if let quarantine, quarantine < 4096 { throw ValidationError("--quarantine takes at least 4096 bytes.") }
    if [only, ignore, guards, retained].contains(where: { $0.count > 32 }) {
      throw ValidationError("At most 32 class patterns of a kind can be given.")
    }
  }

  /// Whether an option chooses the depth, or that not everything is recorded at it.
  var saysHowMuch: Bool {
    depth != nil || !retained.isEmpty || sample != nil || maxOverhead != nil || keep != nil
  }

  /// The options that choose what is recorded, as they were given: of a trace that is there they change nothing.
  private var given: [String] {
    let all: [(String, Bool)] = [
      ("--only", !only.isEmpty), ("--ignore", !ignore.isEmpty), ("--all-classes", allClasses),
      ("--frames", frames != nil), ("--depth", depth != nil), ("--sample", sample != nil),
      ("--max-overhead", maxOverhead != nil), ("--keep", keep != nil), ("--retains", !retained.isEmpty),
      ("--time", time != nil), ("--zombies", zombies != nil), ("--quarantine", quarantine != nil),
      ("--guard", !guards.isEmpty), ("--on-use-after-free", onUseAfterFree != nil),
    ]
    return all.filter(\.1).map(\.0)
  }

  /// What to say of options that cannot have an effect, since nothing is recorded; nil where there are none.
  func unused(_ file: TraceFileArguments) -> String? {
    let given = (file.output == nil ? [] : ["--output"]) + given
    guard let last = given.last else { return nil }
    let list = given.count == 1 ? last : "\(given.dropLast().joined(separator: ", ")) and \(last)"
    let verb = given.count == 1 ? "is for a recording and has" : "are for a recording and have"
    return "\(list) \(verb) no effect here: nothing is recorded."
  }

  /// The options for the recorder; zombies and stopping are on by default under `check` only.
  func options(checking: Bool, _ file: TraceFileArguments) -> RecordingOptions {
    var options = RecordingOptions()
    options.output = file.output
    options.force = force
    options.only = only
    options.ignore = ignore
    options.allClasses = allClasses
    options.frames = frames
    options.depth = depth
    options.retains = retained
    options.sample = sample?.denominator
    options.keep = keep
    options.maxOverhead = maxOverhead?.tenths
    options.exactTime = time == "exact"
    options.zombies = zombies
    options.quarantine = quarantine
    options.guards = guards
    options.onUseAfterFree = onUseAfterFree
    options.quiet = quiet
    options.detectsUseAfterFree = checking
    return options
  }
}

extension RecordingOptions.OnUseAfterFree: ExpressibleByArgument {}
extension RecordingDepth: ExpressibleByArgument {}
