import LifelineAnalysis

extension NamePattern {
  /// LeakSanitizer's rule: the pattern may match anywhere; `^` and `$` anchor it to the ends.
  public init(suppression text: String) {
    let isTiedToStart = text.hasPrefix("^")
    let isTiedToEnd = text.hasSuffix("$")
    let inner = text.dropFirst(isTiedToStart ? 1 : 0).dropLast(isTiedToEnd ? 1 : 0)
    self.init((isTiedToStart ? "" : "*") + inner + (isTiedToEnd ? "" : "*"))
  }
}
