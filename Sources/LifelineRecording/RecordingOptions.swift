import LifelineTrace

/// What the user chose for a recording; each has a twin key in LIFELINE_OPTIONS.
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
  /// Nil: not chosen, so what LIFELINE_OPTIONS says, else full.
  public var depth: RecordingDepth?
  /// Classes whose retains and releases are recorded at depth full; all when there is none.
  public var retains: [String] = []
  /// One object of so many is recorded, chosen by its address; nil: not chosen, so what LIFELINE_OPTIONS says, else
  /// all.
  public var sample: Int?
  /// Most that recording may add to the program's own processor time, in tenths of a percent; nil: not chosen.
  public var maxOverhead: Int?
  /// How much the trace keeps; nil: not chosen, so what LIFELINE_OPTIONS says, else all.
  public var keep: KeepLimit?
  /// Nil: not chosen, so what LIFELINE_OPTIONS says, else `detectsUseAfterFree`.
  public var zombies: Bool?
  /// Bytes of freed objects that are kept; nil is the probe's 64 MiB.
  public var quarantine: Int?
  public var guards: [String] = []
  /// Nil: not chosen, so what LIFELINE_OPTIONS says, else stop under `detectsUseAfterFree`.
  public var onUseAfterFree: OnUseAfterFree?
  public var quiet = false
  /// Folder whose programs are left alone.
  public var skippedFolder: String?
  /// Socket over which processes that end ask to be examined.
  var examinationSocket: String?
  /// System call filters that this process runs under itself, as in a container: the program inherits them.
  var callFilters: Int?
  /// Whether a use after free does not stop the program under `detectsUseAfterFree` unless the user chose that it does.
  public var continuesByDefault = false
  /// Whether zombies, and stopping at a use of one, are the default.
  public var detectsUseAfterFree = false

  /// For a program that runs for the second time, how long it may take: what it prints was seen before and is not
  /// shown, and it gets no terminal to read. Nil for the first run, which takes as long as it does.
  public var repetition: Repetition?
  /// An exploration: when threads are held back. Nil: never, and nothing in the program is changed for it.
  public var schedule: Schedule?
  /// The process that explores: when it is killed, so is what it started.
  public var explorer: Int?
  /// Microseconds that all holds of a run may take together.
  public var holdBudget = 100_000

  public init() {}

  /// The probe's options: our defaults, then the user's own LIFELINE_OPTIONS, then what was chosen here; of two
  /// values of a key the later one holds.
  func text(session: UInt64, inherited: OptionText) -> OptionText {
    var text = OptionText()
    if detectsUseAfterFree {
      text.add("zombies", "1")
      text.add("on-use-after-free", (continuesByDefault ? OnUseAfterFree.continue : .stop).rawValue)
    }
    for pair in inherited.pairs { text.add(pair.key, pair.value) }
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
