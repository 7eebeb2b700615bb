import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// The growth in a run, with names: `lifeline.growth/1`.
public struct GrowthReport: Codable, Sendable, Equatable {
  public struct Entry: Codable, Sendable, Equatable {
    /// "grows by 3 Session per round, held by Cache.entries"; a round is a generation.
    public var title: String
    public var `class`: String
    /// `gain` divided by `rounds`, rounded.
    public var perRound: Int
    /// Objects gained in `rounds` generations: the median.
    public var gain: Int
    /// 1, unless generations are shorter than it takes to gain an object.
    public var rounds: Int
    /// Live objects at the end of each generation.
    public var counts: [Int]
    /// The fewest live objects in each generation after the first, if only they grow.
    public var lows: [Int]?
    /// The allocating function and its location.
    public var function: String
    public var file: String?
    public var line: Int?
    /// The path from a root to the middle one of the live objects; empty if reachability was not examined.
    public var path: [Report.PathStep]
  }

  public var schema = "lifeline.growth/1"
  public var generations: Int
  public var entries: [Entry]
  /// Why paths are unknown, or nil.
  public var blindness: String?
  /// Why the numbers are not those of the whole run: it was a sample, or events were lost; otherwise nil.
  public var remark: String?

  /// `earlier` has holders of objects that were freed when the trace ended.
  public init(
    _ inspector: GrowthInspector, _ heap: HeapSnapshot?, names: Names, earlier: EarlierHolders? = nil
  ) {
    generations = inspector.generations
    blindness =
      heap.map { $0.refusal.map { "Their holders were not examined: \($0)." } } ?? "Their holders were not examined."
    let examined = heap.flatMap { $0.refusal == nil ? ($0, HeapReachability($0.graph)) : nil }
    var told: [Told: Growth] = [:]
    var paths: [Told: [Report.PathStep]] = [:]
    var members: [Told: String] = [:]
    for growth in inspector.growths {
      let backtrace = names.backtrace(
        inspector.backtraces.entries(growth.allocation), role: "allocation", thread: 0, event: 0
      ).beyondInitializers(of: growth.className)
      let held = Self.held(growth, examined, names, earlier)
      let key = Told(
        className: growth.className, function: backtrace.responsible?.function ?? "an unknown place",
        file: backtrace.locatedFrame?.file, line: backtrace.locatedFrame?.line, held: held.text,
        path: PathText(held.toFirst).shape)
      // Call paths with the same description would look like the same growth, reported twice.
      told[key] = told[key]?.joined(with: growth) ?? growth
      guard told[key]?.typical == growth.typical else { continue }
      paths[key] = held.path
      members[key] = held.member.map { " through \(PathText.short(growth.className)).\($0)" }
    }
    let inner = Self.insideClosures(paths)
    let outer = told.filter { !inner.contains($0.key) }
    entries = outer.sorted { Self.order($0.value) < Self.order($1.value) }.map { key, growth in
      Entry(
        title: "grows by \(growth.gain) \(PathText.short(key.className)) "
          + (growth.rounds == 1 ? "per round" : "in \(growth.rounds) rounds") + key.held
          + (members[key] ?? ""),
        class: key.className, perRound: growth.perRound, gain: growth.gain, rounds: growth.rounds,
        counts: growth.counts, lows: growth.lows, function: key.function, file: key.file, line: key.line,
        path: paths[key] ?? [])
    }
  }

  /// The description of a growth, apart from its numbers.
  private struct Told: Hashable {
    let className: String
    let function: String
    let file: String?
    let line: Int?
    let held: String
    let path: String
  }

  /// What holds a compiler-generated thunk around a closure holds the closure.
  private static func withoutThunks(_ path: [Report.PathStep]) -> [Report.PathStep] {
    path.enumerated().filter { index, step in
      let isAround = step.kind == "closure" && index + 1 < path.count && path[index + 1].kind == "closure"
      return !(isAround && step.function?.hasPrefix("reabstraction thunk") == true)
    }.map(\.element)
  }

  /// Those that are only in another one's closure, which one line creates with it: the box of a captured variable.
  private static func insideClosures(_ paths: [Told: [Report.PathStep]]) -> Set<Told> {
    func around(_ key: Told) -> Told {
      Told(
        className: key.className, function: key.function, file: key.file, line: key.line, held: key.held,
        path: PathText(Array(paths[key]!.dropLast(2)) + paths[key]!.suffix(1)).shape)
    }
    return Set(
      paths.keys.filter { key in
        paths[key]!.dropLast().last?.kind == "closure" && paths[around(key)] != nil
      })
  }

  /// Whether a type of the heap is a class of the recording, whatever its type arguments. The recording names closure
  /// contexts and boxes by their module as well.
  private static func isInstance(_ type: HeapType, of className: String) -> Bool {
    switch type.kind {
    case .closure, .box: className.hasSuffix(".\(type.name)")
    case .object, .storage, .task, .memory, .other:
      type.name.prefix { $0 != "<" } == className.prefix { $0 != "<" }
    }
  }

  /// The most objects a round come first.
  private static func order(_ growth: Growth) -> (Double, String, Int) {
    (-Double(growth.gain) / Double(growth.rounds), growth.className, growth.newest.number)
  }

  /// How the middle one of the objects is held.
  private struct Held {
    var text = ""
    var path: [Report.PathStep] = []
    /// The members of a list or a tree mostly hold each other, so what holds the first of them matters: the path
    /// without the others.
    var toFirst: [Report.PathStep] = []
    /// The property by which they hold each other.
    var member: String?

    init(_ text: String) { self.text = text }

    /// - Parameter own: The program's own classes on the path.
    init(_ path: [Report.PathStep], of className: String, own: Set<String>) {
      self.path = path
      toFirst = path
      let above = path.dropLast()
      func isMember(_ step: Report.PathStep) -> Bool { step.class == className && step.property != nil }
      if let first = above.firstIndex(where: isMember), first > 0 {
        toFirst = path[..<first] + path.suffix(1)
        member = above.last(where: isMember)?.property
      }
      text = GrowthReport.holder(toFirst, own).map { ", held by \($0)" } ?? ""
    }
  }

  private static func held(
    _ growth: Growth, _ heap: (snapshot: HeapSnapshot, reachability: HeapReachability)?, _ names: Names,
    _ earlier: EarlierHolders?
  ) -> Held {
    // If it was freed, another object may be at its address.
    guard !growth.isFreed else {
      return Held((earlier?.names[growth.typical].map { ", held by \($0)" } ?? "") + ", and freed at the end")
    }
    guard let (snapshot, reachability) = heap, let node = snapshot.graph.node(at: growth.typical.address),
      isInstance(snapshot.graph.type(of: node), of: growth.className)
    else { return Held("") }
    guard let way = reachability.path(to: node) else { return Held(", leaked: nothing reaches them") }
    var path = withoutThunks(PathReport(snapshot: snapshot, names: names).steps(way))
    if !path.isEmpty {
      path[path.count - 1] = Report.PathStep(
        class: growth.className, kind: "property", object: growth.typical.description)
    }
    let types = way.steps.map { snapshot.graph.type(of: $0.node) }
    return Held(path, of: growth.className, own: Set(types.filter(\.isOwn).map(\.name)))
  }

  /// The last property on the path, the program's own if there is one; otherwise the root.
  private static func holder(_ path: [Report.PathStep], _ own: Set<String>) -> String? {
    let holders = path.dropLast().filter { step in
      step.property != nil && !step.class.isEmpty && !step.class.hasPrefix("Dispatch.")
    }
    if let step = holders.last(where: { own.contains($0.class) }) ?? holders.last {
      return "\(PathText.short(step.class)).\(step.property!)"
    }
    if let task = path.first(where: { $0.kind == "task" }) { return PathText([task]).text }
    return path.first.flatMap { $0.kind == "global" ? $0.property ?? "a global" : PathText([$0]).text }
  }

  private static func shown(_ counts: [Int]) -> String {
    let texts = counts.map(String.init)
    return (texts.count <= 16 ? texts : texts.prefix(6) + ["…"] + texts.suffix(8)).joined(separator: " ")
  }

  /// One paragraph for each entry, and what could not be seen.
  public func text(isColored: Bool = false) -> String {
    let style = TextStyle(isColored: isColored)
    guard !entries.isEmpty else {
      return "No recorded class grows over \(Quantity.count(generations, "generation")).\n"
    }
    var lines: [String] = []
    for entry in entries {
      let place =
        entry.file.flatMap { file in entry.line.map { " (\(file.split(separator: "/").last ?? ""):\($0))" } } ?? ""
      lines.append(style.bold(entry.title.safe))
      lines.append("  allocated by \(entry.function.safe)\(place)")
      if !entry.path.isEmpty { lines.append("  \(PathText(entry.path).text.safe)") }
      lines.append("  live at the end of each generation: \(Self.shown(entry.counts))")
      if let lows = entry.lows { lines.append("  fewest live in each after the first: \(Self.shown(lows))") }
      lines.append("")
    }
    let remarks = [blindness, remark].compactMap { $0 }
    return (lines + remarks).joined(separator: "\n") + (remarks.isEmpty ? "" : "\n")
  }
}
