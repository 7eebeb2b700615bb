import LifelineHeap
import LifelineSymbolication

/// What to change about tasks that wait forever, some perhaps for each other.
struct LostTaskWording {
  private static let most = 3
  private let tasks: [HeapTask]
  /// Where they wait, if known: "Feed.swift:12". Places in the program's own sources come first.
  private let places: [String]

  init(_ tasks: [HeapTask], _ context: ReportContext) {
    self.tasks = tasks
    places = Self.places(tasks.compactMap { context.names.symbolicator.place(in: $0.functions) })
  }

  static func places(_ codes: [(function: String, file: String?, line: Int?)]) -> [String] {
    func places(isFetched: Bool) -> [String] {
      let texts = codes.compactMap { code -> String? in
        guard let path = code.file, let line = code.line, Symbolicator.isFetched(path) == isFetched else { return nil }
        return path.split(separator: "/").last.map { "\($0):\(line)" }
      }
      return Set(texts).sorted()
    }
    return places(isFetched: false) + places(isFetched: true)
  }

  var change: String {
    if tasks.count == 1 {
      let way =
        waits(.executor)
        ? "have its executor run the job that it was given"
        : "resume its continuation exactly once on every path, or finish its stream"
      return "let the task that waits\(at) end: \(way)"
    }
    return "let the \(Quantity.number(tasks.count)) tasks that wait\(at) end: resume each continuation exactly once on "
      + "every path, finish each stream, \(waits(.executor) ? "have each executor run its jobs, " : "")and let no two "
      + "tasks wait for each other"
  }

  private func waits(_ wait: HeapTask.Wait) -> Bool { tasks.contains { $0.wait == wait } }

  /// " at Feed.swift:12 and Feed.swift:20"; empty if no place is known.
  private var at: String {
    guard !places.isEmpty else { return "" }
    let shown = places.prefix(Self.most)
    let rest = places.count - shown.count
    let all = rest > 0 ? shown + ["\(rest) other \(rest == 1 ? "place" : "places")"] : shown
    return " at " + (all.count > 1 ? all.dropLast().joined(separator: ", ") + " and " : "") + all.last!
  }
}
