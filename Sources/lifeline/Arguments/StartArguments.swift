import ArgumentParser
import LifelineRecording
import LifelineTrace

/// What only a program can have that is started for its recording.
struct StartArguments: ParsableArguments {
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

  func validate() throws {
    if let quarantine, quarantine < 4096 { throw ValidationError("--quarantine takes at least 4096 bytes.") }
    if guards.count > 32 { throw ValidationError("At most 32 class patterns of a kind can be given.") }
    if maxOverhead != nil, !guards.isEmpty {
      throw ValidationError("--max-overhead and --guard exclude each other: guard pages give objects other addresses.")
    }
  }

  /// Refuses what was given for a process that runs already.
  ///
  /// - Throws: `ValidationError`.
  func refuse() throws {
    if zombies == true || quarantine != nil || !guards.isEmpty || onUseAfterFree != nil {
      throw ValidationError(
        "Zombies and guard pages stay in a process for as long as its objects do; "
          + "they are for programs that 'record' or 'check' starts."
      )
    }
    if keep != nil || maxOverhead != nil {
      throw ValidationError("--keep and --max-overhead are for programs that 'record' or 'check' starts.")
    }
  }
}

extension RecordingOptions.OnUseAfterFree: ExpressibleByArgument {}
