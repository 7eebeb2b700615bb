import Foundation
import LifelineTestSupport

/// A labeled program of `Tests/Corpus`: comments in its source say what must be found and where.
///
///     // class: Screen            the object's class, without its module
///     // kind: use-after-free     the finding
///     … // ACCESS                 a line that the access's backtrace must pass
///     … // FREE   … // ALLOC      the same for the deallocation and the allocation
///     … // FREE-CALL              the call of such a line; enough where the optimizer left line 0 or a tail call
///
/// With `-D CLEAN` the same source is the program without the bug.
struct CorpusProgram: Sendable {
  enum Label: String { case access = "ACCESS", free = "FREE", allocation = "ALLOC", kept = "KEPT" }

  static let folder = BuiltPackage.root.appendingPathComponent("Tests/Corpus")

  /// Names of the programs in a folder of the corpus.
  static func names(in subfolder: String) -> [String] {
    let files =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(subfolder).path)) ?? []
    return files.filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
  }

  let name: String
  let source: String

  init(_ name: String, in subfolder: String) throws {
    self.name = name
    source = try String(contentsOf: Self.folder.appendingPathComponent("\(subfolder)/\(name).swift"), encoding: .utf8)
  }

  var className: String { header("class") }
  var kind: String { header("kind") }

  /// The objects that a program leaks, by class: "// leak: 1 Pane, 2 Model".
  var leakedObjects: [String: Int] {
    header("leak").split(separator: ",").reduce(into: [:]) { counts, entry in
      let words = entry.split(separator: " ")
      if words.count == 2, let count = Int(words[0]) { counts[String(words[1])] = count }
    }
  }

  /// Properties and closures that the path of a leak goes through.
  var leakPath: [String] { header("path").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
  var leakFindings: Int { Int(header("findings")) ?? 1 }

  /// The value of the first line with a key, "" without one.
  func header(_ key: String) -> String {
    let prefix = "// \(key):"
    let line = source.split(separator: "\n").first { $0.hasPrefix(prefix) } ?? ""
    return line.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces)
  }

  func lines(_ label: Label, optimized: Bool) -> Set<Int> {
    var found: Set<Int> = []
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let comment = line.range(of: "// ", options: .backwards) else { continue }
      let words = line[comment.upperBound...].split(separator: " ")
      if words.contains(Substring(label.rawValue)) || optimized && words.contains(Substring("\(label.rawValue)-CALL")) {
        found.insert(index + 1)
      }
    }
    return found
  }

  func compile(_ level: String, clean: Bool = false) throws -> TestProgram {
    try TestProgram(source, options: ["-g", level, "-module-name", "Corpus"] + (clean ? ["-D", "CLEAN"] : []))
  }
}
