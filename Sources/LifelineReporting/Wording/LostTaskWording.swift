/// What to change about tasks that wait forever, some perhaps for each other.
struct LostTaskWording {
  private static let most = 3
  private let count: Int
  /// Where they wait, if known: "Feed.swift:12".
  private let places: [String]

  /// `tasks` has for each task the functions in which it resumes, innermost first.
  init(_ tasks: [[UInt64]], _ report: ReportContext) {
    count = tasks.count
    let known = tasks.compactMap { functions in
      functions.lazy.compactMap { report.names.symbolicator.closure(at: $0) }.first { $0.line != nil }
    }
    places = Set(
      known.compactMap { closure in
        closure.file?.split(separator: "/").last.flatMap { file in closure.line.map { "\(file):\($0)" } }
      }
    ).sorted()
  }

  var change: String {
    if count == 1 {
      return "let the task that waits\(at) end: resume its continuation exactly once on every path, or finish its "
        + "stream"
    }
    return "let the \(Quantity.number(count)) tasks that wait\(at) end: resume each continuation exactly once on every "
      + "path, finish each stream, and let no two tasks wait for each other"
  }

  /// " at Feed.swift:12 and Feed.swift:20"; empty if no place is known.
  private var at: String {
    guard !places.isEmpty else { return "" }
    let shown = places.prefix(Self.most)
    let rest = places.count - shown.count
    let all = rest > 0 ? shown + ["\(rest) other \(rest == 1 ? "place" : "places")"] : shown
    return " at " + (all.count > 1 ? all.dropLast().joined(separator: ", ") + " and " : "") + all.last!
  }
}
