import ArgumentParser
import LifelineRecording
import LifelineTrace

/// Options for programs that are started for their recording.
struct StartArguments: ParsableArguments {
  @Option(
    help:
      "Limit of the recorder's share of processor time, such as 5%; fewer objects are recorded to stay below it.",
    transform: { text in
      guard let share = Percentage(text) else {
        throw ValidationError("--max-overhead takes a percentage from 0.1% to 100%, such as 5%.")
      }
      return share
    })
  var maxOverhead: Percentage?

  @Option(
    help:
      "Keep only the latest part, such as 256MiB or 60s, and class, allocation and count of older live objects.",
    transform: { text in
      guard let limit = KeepLimit(text) else {
        throw ValidationError(
          "--keep takes a size from 2MiB to 256GiB, or a time in s, m or h, such as 256MiB or 60s.")
      }
      return limit
    })
  var keep: KeepLimit?

  @Flag(inversion: .prefixedNo, help: "Keep freed objects, so that later calls on them are caught.")
  var zombies: Bool?

  @Option(
    help: "Bytes of freed objects to keep, such as 16MiB (default 64MiB).",
    transform: { text in
      guard let bytes = ByteSize.bytes(text), bytes >= 4096 else {
        throw ValidationError("--quarantine takes a size of at least 4KiB, such as 16MiB, or a number of bytes.")
      }
      return bytes
    })
  var quarantine: Int?

  @Option(
    name: .customLong("guard"),
    help:
      "Give these classes guard pages: reads and writes of their freed objects are caught ('*' matches; repeatable).")
  var guards: [String] = []

  @Option(name: .customLong("on-use-after-free"), help: "stop or continue.")
  var onUseAfterFree: RecordingOptions.OnUseAfterFree?

  func validate() throws {
    if guards.count > 32 { throw ValidationError("At most 32 class patterns are allowed per option.") }
    if zombies == false, quarantine != nil {
      throw ValidationError("--no-zombies and --quarantine cannot be combined: without zombies nothing is kept.")
    }
    if maxOverhead != nil, !guards.isEmpty {
      throw ValidationError("--max-overhead and --guard cannot be combined: guard pages change object addresses.")
    }
  }

  /// Rejects these options for a recording that begins in a running process.
  ///
  /// - Throws: `ValidationError`.
  func refuse() throws {
    if zombies == true || quarantine != nil || !guards.isEmpty || onUseAfterFree != nil {
      throw ValidationError(
        "Zombies and guard pages stay in a process as long as its objects do; "
          + "they are available only for recordings that begin and end with the program."
      )
    }
    if keep != nil || maxOverhead != nil {
      throw ValidationError("--keep and --max-overhead are available only for recordings that begin with the program.")
    }
  }
}

extension RecordingOptions.OnUseAfterFree: ExpressibleByArgument {}
