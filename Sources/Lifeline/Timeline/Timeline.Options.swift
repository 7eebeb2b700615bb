extension Timeline {
  /// Options of the recorder, like those of `lifeline record`.
  public struct Options: Sendable {
    /// Path of the trace: %p is the process ID, %e the program's name.
    public var output = "%e.%p.lifeline"
    /// Overwrites an existing file.
    public var overwrites = false
    /// Class names to record, `*` matches; empty: the classes of the program's own images.
    public var only: [String] = []
    /// Class names not to record, `*` matches.
    public var ignore: [String] = []
    /// Maximum frames of a backtrace, 1…1024.
    public var frames = 64
    /// How much of the trace is kept, "256MiB" or "60s"; nil: all.
    public var keep: String?
    /// Keeps freed objects so that later calls on them are caught.
    public var zombies = true
    /// Stops the program at a call on a freed object.
    public var stopsOnUseAfterFree = false
    /// Prints nothing to standard error.
    public var isQuiet = false

    /// The defaults of `lifeline record`, with zombies.
    public init() {}

    /// As in LIFELINE_OPTIONS: `key=value:key=value`, a backslash before ':' and '\\'.
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
