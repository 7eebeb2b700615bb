import LifelineAnalysis

extension Report.Backtrace {
  /// The test in which the event happened, "SessionTests.testClosing()" or "closingWhileLoading()", or what XCTest
  /// called to prepare one; nil if the backtrace does not show it, as in a task that a test started or after a
  /// suspension of a Swift Testing test.
  public var test: String? {
    for (index, frame) in frames.enumerated() where !frame.isSystem {
      let code = CodeFrame(
        function: frame.function, mangledName: frame.mangledName, image: frame.image, isSystem: frame.isSystem)
      if code.isTestWrapper, index > 0 {
        let inner = frames[..<index].last { !$0.isMacroExpansion && !$0.isSystem }
        return inner.map { CodeFrame(function: $0.function).testName }
      }
      let isCalledByCase = frames[index...].dropFirst().contains { $0.isSystem && $0.isAroundCase }
      if code.isXCTest || code.isPreparation && isCalledByCase { return frame.function }
    }
    return nil
  }
}

extension Report.Frame {
  /// Whether it is XCTest's code for a case.
  fileprivate var isAroundCase: Bool { CodeFrame(function: function).isAroundCase }

  /// Whether a macro generated it: then its file does not exist, and its name contains line numbers, or is one that the
  /// compiler made unique (fMu of Mangling.rst), as are those of the closures within it.
  var isMacroExpansion: Bool {
    function.contains("macro expansion #") || file?.split(separator: "/").last?.hasPrefix("@__swiftmacro_") == true
      || function.contains("$s") && function.contains("fMu")
  }
}
