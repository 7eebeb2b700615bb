import Foundation

@testable import LifelineReporting

/// The sample report with every text, or every number, replaced, including fields that are added later.
enum HostileReport {
  /// What a name may contain: markup, quotes, escapes, line ends, and characters that reorder text.
  static let texts = [
    #"<script>document.title="taken"</script>"#, #""><img src=x onerror="document.title='taken'">"#,
    "' onmouseover='document.title=1' x='",
    "</title></style></script></svg></pre></template><h1>taken</h1>", "<!--", "]]>", "&lt;b&gt;&#60;",
    "javascript:document.title='taken'",
    "\u{1B}[31mred\u{1B}]8;;http://evil\u{7}", "a\nb\r\nc\td\0e\u{85}f\u{2028}g", "\u{202E}gnp.exe\u{2066}\u{200F}",
    "``` `x` **b** | # <details>",
    "event 30 of DetailViewController#1, event 99999999999999999999999",
  ]

  static func replacingTexts(_ replace: (Int) -> String) throws -> Report {
    var count = 0
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(StoryReport.report))
    let changed = walk(json) { value in
      guard value is String else { return value }
      count += 1
      return replace(count)
    }
    return try JSONDecoder().decode(Report.self, from: JSONSerialization.data(withJSONObject: changed))
  }

  /// Replaces only names: the verdict, kinds and roles stay, so that every part of the page is drawn.
  static func replacingNames(_ replace: (Int) -> String) throws -> Report {
    var count = 0
    let kept: Set<String> = ["verdict", "kind", "role", "severity", "schema", "confidence", "extent", "access"]
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(StoryReport.report))
    let changed = walk(json, keeping: kept) { value in
      guard value is String else { return value }
      count += 1
      return replace(count)
    }
    return try JSONDecoder().decode(Report.self, from: JSONSerialization.data(withJSONObject: changed))
  }

  static func replacingNumbers(_ number: Int) throws -> Report {
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(StoryReport.report))
    let changed = walk(json) { value in
      guard let old = value as? NSNumber, CFBoolean(old) == nil else { return value }
      return NSNumber(value: number)
    }
    return try JSONDecoder().decode(Report.self, from: JSONSerialization.data(withJSONObject: changed))
  }

  /// The value of a JSON number that is a boolean; otherwise nil.
  private static func CFBoolean(_ number: NSNumber) -> Bool? {
    String(cString: number.objCType) == "c" ? number.boolValue : nil
  }

  private static func walk(_ value: Any, keeping kept: Set<String> = [], _ change: (Any) -> Any) -> Any {
    if let object = value as? [String: Any] {
      return object.keys.sorted().reduce(into: [String: Any]()) { result, key in
        result[key] = kept.contains(key) ? object[key]! : walk(object[key]!, keeping: kept, change)
      }
    }
    if let array = value as? [Any] { return array.map { walk($0, keeping: kept, change) } }
    return change(value)
  }
}
