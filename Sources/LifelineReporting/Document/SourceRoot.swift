/// The folder of the sources, so that formats for other machines can name files as the repository does.
public struct SourceRoot: Sendable {
  private let prefix: String

  /// "" if the files keep their full paths.
  public init(_ path: String = "") {
    prefix = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
  }

  /// The path below the root, or nil for a file elsewhere.
  public func relative(_ file: String) -> String? {
    if !file.hasPrefix("/") { return file.hasPrefix("../") ? nil : file }
    guard !prefix.isEmpty, file.hasPrefix(prefix), file.count > prefix.count else { return nil }
    return String(file.dropFirst(prefix.count))
  }
}
