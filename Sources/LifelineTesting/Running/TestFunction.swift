import LifelineSymbolication
import LifelineTrace
import Testing

/// The function of a test, as named in backtraces.
struct TestFunction: Hashable, Sendable {
  /// "closesItsDetail()"
  let name: String
  /// "DetailTests.swift"
  let file: String

  init(_ test: Test) {
    name = test.name
    file = test.sourceLocation.fileName
  }

  init(name: String, file: String) {
    self.name = name
    self.file = file
  }

  /// The function in a backtrace, or the one that contains its closure or local function; `function` is "closure #1 in
  /// closure #2 in DetailTests.closesItsDetail()".
  init?(around function: String, file: String?) {
    guard let file = file?.split(separator: "/").last else { return nil }
    let outermost = function.ranges(of: " in ").last.map { function[$0.upperBound...] } ?? function[...]
    // Arguments contain no dots.
    let name = outermost.lastIndex(of: ".").map { outermost[outermost.index(after: $0)...] } ?? outermost
    self.init(name: String(name), file: String(file))
  }

  /// The functions that contain a code address.
  static func all(at site: BacktraceEntry, _ symbolicator: Symbolicator) -> Set<Self> {
    Set(
      symbolicator.frames(at: site.lookupAddress).compactMap {
        $0.isSystem ? nil : Self(around: $0.function, file: $0.file)
      })
  }
}
