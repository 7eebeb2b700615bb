import Foundation

/// The lines of source files that end in a mark: `// <- message`.
public struct SourceMarks: Sendable {
  public struct Line: Sendable, Equatable {
    public let file: String
    public let number: Int
  }

  private let lines: [String: [Line]]

  /// Marks in texts by path.
  public init(_ texts: [(path: String, text: String)]) {
    var lines: [String: [Line]] = [:]
    for (path, text) in texts {
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        guard let arrow = line.range(of: "// <- ", options: .backwards) else { continue }
        for mark in line[arrow.upperBound...].split(separator: ",") {
          lines[mark.trimmingCharacters(in: .whitespaces), default: []].append(Line(file: path, number: index + 1))
        }
      }
    }
    self.lines = lines
  }

  /// Reads files; one that cannot be read has no marks.
  public init(paths: [String]) {
    self.init(paths.compactMap { path in (try? String(contentsOfFile: path, encoding: .utf8)).map { (path, $0) } })
  }

  /// The only line with a mark; nil if there is none or more than one.
  public subscript(mark: String) -> Line? {
    guard let found = lines[mark], found.count == 1 else { return nil }
    return found[0]
  }
}
