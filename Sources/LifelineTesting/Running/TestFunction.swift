import LifelineSymbolication
import LifelineTrace
import Testing

/// The function of a test, as backtraces name it.
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

  /// The function that a function of a backtrace is, or that a closure or local function is part of; `function` is
  /// "closure #1 in closure #2 in DetailTests.closesItsDetail()".
  init?(around function: String, file: String?) {
    guard let file = file?.split(separator: "/").last else { return nil }
    let outermost = function.ranges(of: " in ").last.map { function[$0.upperBound...] } ?? function[...]
    // Arguments have no dots.
    let name = outermost.lastIndex(of: ".").map { outermost[outermost.index(after: $0)...] } ?? outermost
    self.init(name: String(name), file: String(file))
  }

  /// Those that a place in the code is part of.
  static func all(at site: BacktraceEntry, _ symbolicator: Symbolicator) -> Set<Self> {
    Set(
      symbolicator.frames(at: site.lookupAddress).compactMap {
        $0.isSystem ? nil : Self(around: $0.function, file: $0.file)
      })
  }
}
