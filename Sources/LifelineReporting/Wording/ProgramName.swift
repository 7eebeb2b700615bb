/// A program's name: that of its file, which a trace that is cut off may lack.
public struct ProgramName {
  public let text: String

  public init(_ path: String) {
    text = path.split(separator: "/").last.map(String.init) ?? (path.isEmpty ? "unnamed program" : path)
  }
}
