extension Report.Backtrace {
  /// The test in which the event happened, "SessionTests.testClosing()" or "closingWhileLoading()"; nil where the
  /// backtrace does not show it, as in a task that a test started or after a suspension of a Swift Testing test.
  public var test: String? {
    for (index, frame) in frames.enumerated() where !frame.isSystem {
      // Swift Testing: @Test makes a function around the test, whose mangled name has the macro's ("4Test") and "fMp",
      // a peer macro's expansion (docs/ABI/Mangling.rst of the Swift project).
      if frame.mangledName?.contains("4TestfMp_") == true, index > 0 {
        return frames[..<index].last { !$0.isMacroExpansion && !$0.isSystem }?.function
      }
      // XCTest: a method test… of a class, in a bundle.
      let parts = frame.function.split(separator: ".", maxSplits: 1)
      if frame.image.hasSuffix(".xctest"), parts.count == 2, parts[1].hasPrefix("test"), !parts[0].contains(" ") { return frame.function }
    }
    return nil
  }
}

extension Report.Frame {
  /// Code that a macro wrote: its file does not exist, and its name has line numbers in it.
  var isMacroExpansion: Bool {
    function.contains("macro expansion #") || file?.split(separator: "/").last?.hasPrefix("@__swiftmacro_") == true
  }
}

extension Report.Finding {
  /// The test in which it happened, where a backtrace shows it.
  public var test: String? { backtraces.lazy.compactMap(\.test).first }
}
