/// A sentence of an explanation, in which "event 31" links to that event.
struct SentenceMarkup {
  let sentence: String
  let figure: LifelineFigure?

  var markup: Markup {
    var markup: Markup = ""
    var text = Substring(VisibleText(sentence, limit: 1200).plain)
    while let mention = text.range(of: "event ") {
      let digits = text[mention.upperBound...].prefix { ("0"..."9").contains($0) }
      let end = digits.endIndex
      markup += "\(String(text[..<mention.lowerBound]), limit: 2400)"
      let words = String(text[mention.lowerBound..<end])
      if let event = UInt64(digits), let target = figure?.target(of: event) {
        markup += "<a class=\"event\" data-event=\"\(event)\" href=\"#\(target)\">\(words)</a>"
      } else {
        markup += "\(words)"
      }
      text = text[end...]
    }
    return "\(markup)\(String(text), limit: 2400)"
  }
}

extension Substring {
  /// The first place of a text, without Foundation's locale rules.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
