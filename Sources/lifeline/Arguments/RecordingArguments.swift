import ArgumentParser
import LifelineRecording
import LifelineTrace

/// The options of recordings that begin with a program, taken together.
///
/// Commands have the two groups instead of one that contains both: in a debug build swift-argument-parser validates a
/// group again for each validator of its parents, and nested groups cost `check` 0.14 s at each start.
struct RecordingArguments {
  let choice: ChoiceArguments
  let start: StartArguments

  var force: Bool { choice.force }
  var quiet: Bool { choice.quiet }

  init(_ choice: ChoiceArguments, _ start: StartArguments) {
    self.choice = choice
    self.start = start
  }

  func validate() throws {
    if choice.sample != nil, !start.guards.isEmpty {
      throw ValidationError(
        "--sample and --guard cannot be combined: most objects of the guarded classes would have no page.")
    }
  }

  /// Whether an option sets the depth, or limits what is recorded at it.
  var saysHowMuch: Bool {
    choice.depth != nil || !choice.retained.isEmpty || choice.sample != nil || start.maxOverhead != nil
      || start.keep != nil
  }

  /// The given options that select what is recorded; they have no effect on an existing trace.
  private var given: [String] {
    let all: [(String, Bool)] = [
      ("--only", !choice.only.isEmpty), ("--ignore", !choice.ignore.isEmpty), ("--all-classes", choice.allClasses),
      ("--frames", choice.frames != nil), ("--depth", choice.depth != nil), ("--sample", choice.sample != nil),
      ("--max-overhead", start.maxOverhead != nil), ("--keep", start.keep != nil),
      ("--retains", !choice.retained.isEmpty),
      ("--time", choice.time != nil), ("--zombies", start.zombies != nil), ("--quarantine", start.quarantine != nil),
      ("--guard", !start.guards.isEmpty), ("--on-use-after-free", start.onUseAfterFree != nil),
    ]
    return all.filter(\.1).map(\.0)
  }

  /// The message about options that have no effect because nothing is recorded; nil if there are none.
  func unused(_ file: TraceFileArguments, once: Bool = false) -> String? {
    let given = (file.output == nil ? [] : ["--output"]) + (once ? ["--once"] : []) + given
    guard let last = given.last else { return nil }
    let list = given.count == 1 ? last : "\(given.dropLast().joined(separator: ", ")) and \(last)"
    let verb = given.count == 1 ? "applies to recordings and has" : "apply to recordings and have"
    return "\(list) \(verb) no effect here: nothing is recorded."
  }

  /// The options for the recorder; zombies and stopping are on by default under `check` only.
  func options(checking: Bool, _ file: TraceFileArguments) -> RecordingOptions {
    var options = RecordingOptions()
    options.output = file.output
    options.force = force
    options.only = choice.only
    options.ignore = choice.ignore
    options.allClasses = choice.allClasses
    options.frames = choice.frames
    options.depth = choice.depth
    options.retains = choice.retained
    options.sample = choice.sample?.denominator
    options.keep = start.keep
    options.maxOverhead = start.maxOverhead?.tenths
    options.exactTime = choice.time == "exact"
    options.zombies = start.zombies
    options.quarantine = start.quarantine
    options.guards = start.guards
    options.onUseAfterFree = start.onUseAfterFree
    options.quiet = quiet
    options.detectsUseAfterFree = checking
    return options
  }
}
