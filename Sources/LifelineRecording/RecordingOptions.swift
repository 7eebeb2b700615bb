import LifelineTrace

/// The user's options for a recording; each has a key in LIFELINE_OPTIONS.
public struct RecordingOptions: Sendable {
  public enum OnUseAfterFree: String, Sendable, CaseIterable {
    case stop
    case `continue`
  }

  /// Path pattern of the trace: %p process ID, %e program name. Nil: PROGRAM.PID.lifeline in the working directory.
  public var output: String?
  public var force = false
  public var only: [String] = []
  public var ignore: [String] = []
  public var allClasses = false
  /// Frames kept of a backtrace, 1…1024; nil is the probe's 64.
  public var frames: Int?
  public var exactTime = false
  /// Nil: not set, so the value in LIFELINE_OPTIONS, otherwise full.
  public var depth: RecordingDepth?
  /// Classes whose retains and releases are recorded at depth full; all if empty.
  public var retains: [String] = []
  /// One in this many objects is recorded; nil: not set, so the value in LIFELINE_OPTIONS, otherwise
  /// all.
  public var sample: Int?
  /// Maximum that recording may add to the program's own processor time, in tenths of a percent; nil: not set.
  public var maxOverhead: Int?
  /// How much the trace keeps; nil: not set, so the value in LIFELINE_OPTIONS, otherwise all.
  public var keep: KeepLimit?
  /// Nil: not set, so the value in LIFELINE_OPTIONS, otherwise `detectsUseAfterFree`.
  public var zombies: Bool?
  /// Maximum bytes of kept freed objects; nil is the probe's 64 MiB.
  public var quarantine: Int?
  public var guards: [String] = []
  /// Nil: not set, so the value in LIFELINE_OPTIONS, otherwise stop under `detectsUseAfterFree`.
  public var onUseAfterFree: OnUseAfterFree?
  public var quiet = false
  /// A signal to us that the program does not get: its moments are noted.
  public var momentSignal: Int32?
  /// A signal to the program that begins a recording, and the next one that ends it: "USR1" or "USR2". Nil: the
  /// recording begins with the program.
  public var toggle: String?
  /// Folder whose programs are not recorded.
  public var skippedFolder: String?
  /// Socket over which ending processes request to be examined.
  var examinationSocket: String?
  /// System call filters that this process itself runs under, as in a container; the program inherits them.
  var callFilters: Int?
  /// Whether a use after free does not stop the program under `detectsUseAfterFree` unless the user requested it.
  public var continuesByDefault = false
  /// Whether zombies, and stopping at a use of one, are the default.
  public var detectsUseAfterFree = false

  /// The time limits of a second run, whose output is hidden, since it was seen before, and which gets no terminal to
  /// read. Nil for the first run, which has no limit.
  public var repetition: Repetition?
  /// For an exploration: when threads are held. Nil: never, and nothing in the program is changed for it.
  public var schedule: Schedule?
  /// The exploring process; when it is killed, so is everything it started.
  public var explorer: Int?
  /// Maximum microseconds of all holds in a run together.
  public var holdBudget = 100_000

  public init() {}

  /// The probe's options: our defaults, then the user's own LIFELINE_OPTIONS, then the options here; of two values of a
  /// key the later one applies.
  func text(session: UInt64, inherited: OptionText) -> OptionText {
    var text = OptionText()
    if detectsUseAfterFree {
      text.add("zombies", "1")
      text.add("on-use-after-free", (continuesByDefault ? OnUseAfterFree.continue : .stop).rawValue)
    }
    for pair in inherited.pairs where pair.key != "toggle" { text.add(pair.key, pair.value) }
    if let toggle { text.add("toggle", toggle) }
    if let output { text.add("output", output) }
    if force { text.add("force", "1") }
    if let examinationSocket {
      text.add("examine", examinationSocket)
      if let filters = callFilters { text.add("filters", String(filters)) }
    }
    if let skippedFolder { text.add("skip", skippedFolder) }
    for pattern in only { text.add("only", pattern) }
    for pattern in ignore { text.add("ignore", pattern) }
    for pattern in guards { text.add("guard", pattern) }
    for pattern in retains { text.add("retains", pattern) }
    if allClasses { text.add("all-classes", "1") }
    if let frames { text.add("frames", String(frames)) }
    if exactTime { text.add("time", "exact") }
    if let depth { text.add("depth", depth.rawValue) }
    if let sample { text.add("sample", "1/\(sample)") }
    if let maxOverhead { text.add("max-overhead", "\(maxOverhead / 10).\(maxOverhead % 10)%") }
    if let keep { text.add("keep", keep.option) }
    if let zombies { text.add("zombies", zombies ? "1" : "0") }
    if let quarantine { text.add("quarantine", String(quarantine)) }
    if let onUseAfterFree { text.add("on-use-after-free", onUseAfterFree.rawValue) }
    if quiet { text.add("quiet", "1") }
    schedule?.add(to: &text, budget: holdBudget)
    if schedule != nil, let explorer { text.add("explorer", String(explorer)) }
    text.add("session", String(session, radix: 16))
    return text
  }
}
