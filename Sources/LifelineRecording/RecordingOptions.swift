/// What the user chose for a recording; each has a twin key in LIFELINE_OPTIONS.
public struct RecordingOptions: Sendable {
  public enum AfterFinding: String, Sendable, CaseIterable {
    case stop
    case goOn = "continue"
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
  public var zombies = false
  /// Bytes of freed objects that are kept; nil is the probe's 64 MiB.
  public var quarantine: Int?
  public var guards: [String] = []
  public var afterFinding = AfterFinding.goOn
  public var quiet = false

  public init() {}

  /// The value of LIFELINE_OPTIONS, after what the user's own environment has there.
  func encoded(session: UInt64, inherited: String?) -> String {
    var pairs: [(String, String)] = []
    if let output { pairs.append(("output", output)) }
    if force { pairs.append(("force", "1")) }
    pairs += only.map { ("only", $0) } + ignore.map { ("ignore", $0) } + guards.map { ("guard", $0) }
    if allClasses { pairs.append(("all-classes", "1")) }
    if let frames { pairs.append(("frames", String(frames))) }
    if exactTime { pairs.append(("time", "exact")) }
    pairs.append(("zombies", zombies ? "1" : "0"))
    if let quarantine { pairs.append(("quarantine", String(quarantine))) }
    pairs.append(("on-use-after-free", afterFinding.rawValue))
    if quiet { pairs.append(("quiet", "1")) }
    pairs.append(("session", String(session, radix: 16)))
    let own = pairs.map { "\($0)=\(Self.escape($1))" }.joined(separator: ":")
    guard let inherited, !inherited.isEmpty else { return own }
    return inherited + ":" + own
  }

  /// A backslash before each character that would end the value.
  private static func escape(_ value: String) -> String {
    var result = ""
    for character in value {
      if character == ":" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return result
  }
}
