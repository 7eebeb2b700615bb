import Foundation
import LifelineTestSupport
import Testing

/// Pages link to each other's paths and headings, which would otherwise break unnoticed.
@Suite struct DocumentationLinkTests {
  /// A page's headings as GitHub's anchors.
  private func anchors(_ page: String) -> Set<String> {
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        let text = heading.drop { $0 == "#" }.dropFirst().lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.map { $0 == " " ? "-" : $0 })
      })
  }

  @Test("Every link in the documentation to a file or heading of the repository resolves")
  func links() throws {
    let root = BuiltPackage.root
    let folder = root.appendingPathComponent("Documentation")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
    let pages =
      names.map { folder.appendingPathComponent($0) }
      + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map { root.appendingPathComponent($0) }
    var links = 0
    for page in pages {
      for match in try String(contentsOf: page, encoding: .utf8).matches(of: /\]\(([^)\s#]*)(?:#([^)\s]+))?\)/) {
        let path = String(match.1)
        if path.contains("://") || path.hasPrefix("mailto:") { continue }
        links += 1
        let target = path.isEmpty ? page : page.deletingLastPathComponent().appendingPathComponent(path)
        #expect(
          FileManager.default.fileExists(atPath: target.path), "\(page.lastPathComponent) refers to \(path)")
        guard let anchor = match.2, target.pathExtension == "md" else { continue }
        let isThere = try anchors(String(contentsOf: target, encoding: .utf8)).contains(String(anchor))
        #expect(isThere, "\(page.lastPathComponent) refers to \(path)#\(anchor)")
      }
    }
    #expect(links > 50)
  }
}
