extension SuppressionList {
  /// Findings in programs of the toolchain that are known to be harmless, each with the reason; observed with Swift
  /// 6.3.1.
  public static let toolchainText = """
    over-release:^swift-frontend$ # nodes of SIL lie in the compiler's own arenas: \
    they have an object's header and no count
    """

  /// The list; it would be empty only if the text above were invalid, which a test checks.
  static func toolchain(kinds: [String]) -> SuppressionList {
    (try? SuppressionList(toolchainText, file: "the toolchain's list", kinds: kinds)) ?? SuppressionList()
  }
}
