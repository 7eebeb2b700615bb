/// The end of a program's output; for a crashed one its last message and the thread, without the other threads,
/// registers and images.
public struct LastOutput {
  private static let limit = 24
  public let text: String

  public init(_ output: String) {
    let lines = output.split(separator: "\n")
    let message =
      lines.lastIndex { $0.contains("Fatal error:") } ?? lines.lastIndex { $0.contains("Program crashed:") }
    guard let message else {
      text = lines.suffix(Self.limit).joined(separator: "\n")
      return
    }
    var isOther = false
    let kept = lines[message...].prefix { !Self.isAppendix($0) }.filter { line in
      if line.hasPrefix("Thread ") { isOther = !line.contains(" crashed:") }
      return !isOther
    }
    text = kept.prefix(Self.limit).joined(separator: "\n")
  }

  private static func isAppendix(_ line: Substring) -> Bool {
    line.hasPrefix("0x") && line.contains("–0x") || line.hasPrefix("Registers:") || line.hasPrefix("Images (")
      || line.hasPrefix("Images:")
  }
}
