extension Timeline {
  /// What the recorder does, as the options of `lifeline record` say it.
  public struct Options: Sendable {
    /// Path of the trace: %p is the process ID, %e the program's name.
    public var output = "%e.%p.lifeline"
    /// An existing file is written over.
    public var overwrites = false
    /// Class names, `*` matches; empty: the classes of the program's own images.
    public var only: [String] = []
    /// Class names that are not recorded, `*` matches.
    public var ignore: [String] = []
    /// Deepest backtrace kept, 1…1024 frames.
    public var frames = 64
    /// How much of the trace is kept, "256MiB" or "60s"; nil: all.
    public var keep: String?
    /// Freed objects are kept so that a message to one is recognised.
    public var zombies = true
    /// The program stops at a message to a freed object.
    public var stopsOnUseAfterFree = false
    /// The recorder says nothing on standard error.
    public var isQuiet = false

    /// The defaults of `lifeline record`, with zombies.
    public init() {}

    /// As LIFELINE_OPTIONS has it: `key=value:key=value`, a backslash before ':' and '\\'.
    var text: String {
      var pairs = [
        ("output", output), ("frames", String(frames)),
        ("on-use-after-free", stopsOnUseAfterFree ? "stop" : "continue"),
      ]
      if overwrites { pairs.append(("force", "1")) }
      if let keep { pairs.append(("keep", keep)) }
      if zombies { pairs.append(("zombies", "1")) }
      if isQuiet { pairs.append(("quiet", "1")) }
      pairs += only.map { ("only", $0) } + ignore.map { ("ignore", $0) }
      return pairs.map { "\($0)=\(Self.escaped($1))" }.joined(separator: ":")
    }

    private static func escaped(_ value: String) -> String {
      value.reduce(into: "") { text, character in
        if character == ":" || character == "\\" { text.append("\\") }
        text.append(character)
      }
    }
  }
}
