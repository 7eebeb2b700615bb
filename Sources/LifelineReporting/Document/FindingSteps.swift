/// A finding as numbered steps: the events in its backtraces and its object's timeline, in order.
struct FindingSteps {
  struct Step: Equatable {
    /// From 1.
    let number: Int
    let event: UInt64
    let thread: String
    /// "allocation", "final-release", "retain" …
    let what: String
    let text: String
    let function: String
    /// " (event 9, main thread)"; "" if no event is known.
    var moment: String {
      event == 0 ? "" : " (event \(event)\(what == "reference" || what == "cut" ? "" : ", \(thread)"))"
    }
    /// Full path, if known.
    let file: String?
    let line: Int?
    let column: Int?
  }

  let steps: [Step]
  /// Events omitted from the middle of a long life.
  let omitted: Int
  private static let limit = 200

  /// The subject of the steps: an object's life, or for a leak the references that hold it.
  let subject: String

  init(_ finding: Report.Finding, timelines: [Report.ObjectTimeline]) {
    if finding.path.count > 1 {
      subject = "How \(finding.object.id) is held"
      let all = Self.references(finding.path)
      steps = all.count <= Self.limit ? all : Array(all.prefix(Self.limit / 2) + all.suffix(Self.limit / 2))
      omitted = all.count - steps.count
      return
    }
    subject = "The object's life"
    var byEvent: [UInt64: Step] = [:]
    let paths = Self.paths(finding)
    let timeline = timelines.first { $0.object == finding.object && $0.process == finding.process }
    for event in timeline?.events ?? [] {
      let place = event.location.flatMap(Self.place)
      byEvent[event.event] = Step(
        number: 0, event: event.event, thread: event.thread, what: event.kind, text: Self.text(event),
        function: event.function, file: place.flatMap { paths[$0.name] }, line: place?.line, column: nil)
    }
    // A backtrace has more facts about its event than the timeline; of two for one event the first says most.
    for backtrace in finding.backtraces.reversed() {
      let frame = backtrace.locatedFrame
      let function = backtrace.responsible?.function ?? "unknown code"
      byEvent[backtrace.event] = Step(
        number: 0, event: backtrace.event, thread: backtrace.thread, what: backtrace.role,
        text: "\(Self.phrase(backtrace.role, finding)) in \(function)", function: function, file: frame?.file,
        line: frame?.line, column: frame?.column)
    }
    let named = Set(finding.backtraces.map(\.event))
    let all = byEvent.values.sorted { $0.event < $1.event }
    let left = Self.limit
    var kept = all
    if all.count > left {
      let edge = Set(all.prefix(left / 2).map(\.event)).union(all.suffix(left / 2).map(\.event)).union(named)
      kept = all.filter { edge.contains($0.event) }
    }
    steps = kept.enumerated().map { index, step in
      Step(
        number: index + 1, event: step.event, thread: step.thread, what: step.what, text: step.text,
        function: step.function, file: step.file, line: step.line, column: step.column)
    }
    omitted = all.count - kept.count + (timeline?.omittedEvents ?? 0)
  }

  private static func references(_ path: [Report.PathStep]) -> [Step] {
    path.enumerated().map { index, step in
      let next = index + 1 < path.count ? path[index + 1] : nil
      return Step(
        number: index + 1, event: step.event ?? 0, thread: "references", what: step.isCut == true ? "cut" : "reference",
        text: PathText.sentence(step, next: next) + (step.isNear == true ? ", stored near this line" : ""),
        function: step.function ?? PathText.short(step.class), file: step.file, line: step.line, column: nil)
    }
  }

  /// "retain in Master.open(), 2 references".
  private static func text(_ event: Report.ObjectTimeline.Event) -> String {
    let what = event.isFinalRelease ? "final release" : event.reference ?? words(event.kind)
    let count = event.count.map { ", \(Quantity.count($0, "reference"))" } ?? ""
    return "\(what) in \(event.function)\(count)"
  }

  /// "use after free" for "useAfterFree".
  private static func words(_ kind: String) -> String {
    kind.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
  }

  private static func phrase(_ role: String, _ finding: Report.Finding) -> String {
    switch role {
    case "allocation": "\(finding.object.id) is allocated"
    case "final-release": "its last strong reference is released"
    case "last-owner-release": "its last owner releases it"
    case "deallocation": "it is deallocated"
    case "access": "it is used (\(finding.access ?? finding.kind))"
    case "hold": "it is held"
    case "retain": "it is retained"
    case "release": "it is released"
    default: role
    }
  }

  /// Full paths by last component, without ambiguous ones.
  private static func paths(_ finding: Report.Finding) -> [String: String] {
    var paths: [String: Set<String>] = [:]
    for frame in finding.backtraces.flatMap(\.frames) {
      guard let file = frame.file, let name = file.split(separator: "/").last else { continue }
      paths[String(name), default: []].insert(file)
    }
    return paths.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  /// The parts of "Master.swift:16".
  private static func place(_ location: String) -> (name: String, line: Int)? {
    guard let colon = location.lastIndex(of: ":"), let line = Int(location[location.index(after: colon)...]), line > 0
    else { return nil }
    return (String(location[..<colon]), line)
  }
}
