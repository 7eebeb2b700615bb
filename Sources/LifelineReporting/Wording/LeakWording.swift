import LifelineAnalysis
import LifelineLifetimes

/// The sentences of a leak: how its objects are held, what leaked, and what to change.
struct LeakWording {
  private let leak: Leak
  private let steps: [LeakStep]
  private let object: ObjectID
  private let context: ReportContext
  let path: [Report.PathStep]
  /// Those whose boxes are steps, by the steps' numbers.
  private let variables: [Int: BoxedVariable]

  init(_ leak: Leak, object: ObjectID, context: ReportContext) {
    self.object = object
    self.context = context
    self.leak = leak
    let steps = Self.withoutThunks(leak.steps, context)
    self.steps = steps
    variables = Self.variables(steps, context)
    path = Self.path(steps, variables, context)
  }

  private var more: String { leak.similar > 0 ? " (and \(Quantity.number(leak.similar)) more like it)" : "" }

  var title: String {
    switch leak.cause {
    case .cycle: "A retain cycle keeps \(object) alive: \(PathText(path).text)\(more)"
    case .unbalanced: "\(object) is leaked: nothing refers to it, and a reference to it was never released\(more)"
    case .holder(let name):
      "\(object) is leaked: only a library's \(PathText.brief(name)), which nothing refers to, holds it\(more)"
    case .memory: "\(object) is leaked: only \(unheld ?? "memory that nothing refers to") holds it\(more)"
    case .task: "\(object) is leaked: only a task that nothing can resume holds it\(more)"
    case .context:
      "\(object) is leaked: only \(isInStorage ? "an array or the like" : "a closure") that nothing refers to holds "
        + "it\(more)"
    }
  }

  private var isInStorage: Bool { leak.steps.first?.kind == .storage }

  var explanation: [String] {
    let doubts = leak.doubts.prefix(3).map { doubt in
      let places = doubt.perhaps.compactMap { row in
        context.location(row, making: row.event.kind == .allocate ? doubt.object : nil)
      }
      return Self.sentence(doubt, leak.cause, perhaps: captured(doubt.object, at: Self.unique(places)))
    }
    let unknown =
      leak.cause == .cycle && leak.cut == nil
      ? ["No change, and no few changes together, are known to free everything."] : []
    return (leak.cause == .cycle ? cycle : lost) + doubts + amounts + unknown
  }

  /// Of the places where an object may have been stored, that of the closure which captured it.
  private func captured(_ object: ObjectID, at places: [String]) -> [String] {
    let closures = steps.indices.dropLast().filter { steps[$0].kind == .closure && steps[$0 + 1].object == object }
    let written = closures.compactMap { path[$0].location }
    return written.first(where: places.contains).map { [$0] } ?? places
  }

  /// Why a reference has no line, and the lines where it may be.
  static func sentence(_ doubt: Leak.Doubt, _ cause: Leak.Cause, perhaps places: [String] = []) -> String {
    let unknown =
      cause == .unbalanced
      ? "which reference to \(doubt.object) was not released" : "where \(doubt.object) was stored"
    let reason =
      switch doubt.reason {
      case .cut(let events): "it has so many events that \(Quantity.number(events)) are left out"
      case .older: "it is older than the events that the recording keeps (--keep)"
      case .unpaired(let releases):
        "\(Quantity.count(releases, "release")) of it could not be paired with a retain"
      }
    return "It is unknown \(unknown)\(places.isEmpty ? "" : ", perhaps at \(Self.either(places))"): \(reason)."
  }

  private static let storedLimit = 6

  private var cycle: [String] {
    let members = steps.dropLast().filter { $0.kind == .object }.count
    var sentences = [
      members == 1
        ? "Nothing else reaches \(object); it keeps itself alive."
        : "Nothing else reaches these objects; they keep each other alive."
    ]
    let known = steps.indices.dropLast().compactMap { index in stored(index).map { (index, sentence: $0) } }
    sentences += known.prefix(Self.storedLimit).map(\.sentence)
    if known.count > Self.storedLimit {
      // Of most of many nothing more may be known.
      let rest = steps[(known[Self.storedLimit - 1].0 + 2)...].count { $0.object != nil }
      sentences.append(
        "\(Quantity.count(rest, "further reference")) of the cycle \(rest == 1 ? "is" : "are") not listed.")
    }
    return sentences
  }

  /// Since when a step holds the next one's object; nil if unknown.
  private func stored(_ index: Int) -> String? {
    if steps[index + 1].isBox {
      // The boxes in a box are parts of the same value.
      guard !steps[index].isBox, let made = steps[index + 1].allocation else { return nil }
      let place = context.place(made)
      return "\(holder(index)) holds a box that \(place.function) allocated (event \(made.event.sequence), "
        + "\(context.names.name(thread: made.event.thread))\(place.location.map { ", \($0)" } ?? ""))."
    }
    let rows = steps[index].stores
    let written = steps[index].kind == .closure ? path[index].location : nil
    let places = written.map { [$0, "near \($0)"] } ?? []
    guard let row = rows.first, let object = steps[index + 1].object else { return nil }
    let target =
      switch steps[index + 1].kind {
      case .variable: "the variable"
      case .closure: "the closure"
      default: object.description
      }
    if rows.count > 1 {
      let known = rows.map { row in
        context.place(row, making: row.event.kind == .allocate ? object : nil).location.map { place in
          place.hasPrefix("called at ") ? "a call at \(place.dropFirst("called at ".count))" : place
        }
      }
      guard !known.contains(nil) else { return nil }
      let locations = Self.unique(known.compactMap { $0 })
      let doubt =
        locations.count == 1
        ? "; that reference was never released." : "; it is unknown which of these references was released."
      let start = locations.allSatisfy(places.contains) ? "it was created" : Self.either(locations)
      return "\(holder(index)) has held \(target) since \(start)\(doubt)"
    }
    let known = context.place(row, making: row.event.kind == .allocate ? object : nil)
    // The compiler gives what makes a closure of a method no line, and its call often that of the line before.
    let isMethod = written != nil && known.function.hasPrefix("implicit closure #")
    let location =
      known.location.flatMap { places.contains($0) || isMethod && $0.hasPrefix("called at ") ? nil : ", \($0)" } ?? ""
    // In optimized code what made the closure may have no line, or that of what is done with it.
    if steps[index].kind == .closure, written != nil, !location.isEmpty, row.event.kind != .allocate,
      steps[index].function.map({ context.names.symbolicator.isOptimized(at: $0) }) == true
    {
      return "\(holder(index)) has held \(target) since it was created; that reference was never released."
    }
    // A task's end puts what its function returned into the task.
    let taker = known.function.hasPrefix("swift::") ? "the runtime" : known.function
    let what =
      row.event.kind == .allocate
      ? "holds the reference to \(target) from its allocation by \(known.function)"
      : "has held \(target) since \(taker) retained it"
    return
      "\(holder(index)) \(what) (event \(row.event.sequence), "
      + "\(context.names.name(thread: row.event.thread))\(location)); that reference was never released."
      + contrast(steps[index].counterpart, isClosure: steps[index + 1].kind == .closure)
  }

  /// How such a reference ended for an object that was freed.
  private func contrast(_ counterpart: Counterpart?, isClosure: Bool = false) -> String {
    guard let counterpart else { return "" }
    let backtrace = context.backtrace(counterpart.release, making: nil).beyondSetters
    let location = backtrace.statedPlace.map { ", \($0)" } ?? ""
    let other = isClosure ? "Another such closure" : counterpart.object.description
    return " \(other) was held in the same way\(counterpart.isSure ? "" : ", probably") until "
      + "\(backtrace.responsible?.function ?? "") released it (event \(counterpart.release.event.sequence)\(location))."
  }

  /// "a, b or c".
  private static func either(_ places: [String]) -> String {
    let others = places.dropLast().joined(separator: ", ")
    return others.isEmpty ? places.joined() : "\(others) or \(places.last!)"
  }

  private static func unique(_ places: [String]) -> [String] {
    var seen: Set<String> = []
    return places.filter { seen.insert($0).inserted }
  }

  /// "Model.onChange", "The closure at Pane.swift:12", or the property before storage.
  private func holder(_ index: Int) -> String {
    let step = path[index]
    if step.kind == "closure" {
      return "The closure\(step.location.map { " at \($0)" } ?? step.creation.map { " created at \($0)" } ?? "")"
    }
    if step.kind == "variable" { return "The \(PathText.variable(step))" }
    if step.kind == "task" || step.kind == "memory" && index > 0 && path[index - 1].kind == "task" { return "The task" }
    if step.kind == "memory" { return "Memory" }
    // What follows an object without a property is in the memory after its properties.
    guard let place = (0...index).last(where: { path[$0].property != nil || steps[$0].kind == .object }) else {
      return PathText.short(step.class)
    }
    // The property of a box names its struct.
    if path[place].kind == "storage", let property = path[place].property { return property }
    return PathText.short(path[place].class) + (path[place].property.map { ".\($0)" } ?? "")
  }

  /// "the closure at Upload.swift:12": the first one on the path to an object that memory holds.
  private var closure: String? {
    path.first { $0.kind == "closure" }.map { "the closure\($0.location.map { " at \($0)" } ?? "")" }
  }

  /// Whether the task that holds the object waits for an executor to run its job.
  private var isEnqueued: Bool { steps.first { $0.kind == .task }?.waitsFor == .executor }
  private var unheld: String? { closure.map { "\($0), which nothing can call," } }

  private var lost: [String] {
    var sentences: [String] = []
    switch leak.cause {
    case .unbalanced: sentences.append("Nothing the program can still reach refers to \(object).")
    case .holder(let name):
      sentences.append(
        "It is held along \(PathText(path).text). A reference to the \(PathText.brief(name)) was never released.")
      if let given = steps.indices.dropLast().last.flatMap(stored) { sentences.append(given) }
    case .memory(let bytes):
      let memory = "\(Quantity.bytes(bytes)) of memory that nothing points to"
      sentences.append(
        closure.map { "Only \($0), in \(memory), still refers to it." } ?? "Only \(memory) still refer to it.")
    case .task:
      let task = path.first { $0.kind == "task" }
      let place = task?.function.map { " in \($0)" } ?? ""
      let line = task?.location.map { " (\($0))" } ?? ""
      let what = isEnqueued ? " for an executor to run its job" : ""
      let resumer = isEnqueued ? "it" : "what would resume it"
      sentences.append(
        "The task waits\(place)\(line)\(what), and nothing the program can still reach refers to \(resumer).")
    case .context: sentences.append("What still refers to it is itself unreachable.")
    case .cycle: break
    }
    for row in leak.unbalanced.prefix(4) {
      let place = context.place(row, making: row.event.kind == .allocate ? object : nil)
      let location = place.location.map { ", \($0)" } ?? ""
      let taker = context.library(row).map { "\($0) took for \(place.function)" } ?? "\(place.function) took"
      let what =
        row.event.kind == .allocate
        ? "The reference from its allocation by \(place.function)" : "The reference that \(taker)"
      let others = leak.alternatives.map { taken in
        let isOwn = taken.event.kind == .allocate
        let place = context.place(taken, making: isOwn ? object : nil)
        let location = place.location.map { ", \($0)" } ?? ""
        let what = isOwn ? "from its allocation by \(place.function)" : "that \(place.function) took"
        return ", or the one \(what) (event \(taken.event.sequence)\(location))"
      }
      let end = others.isEmpty ? "" : others.joined() + ","
      sentences.append(
        "\(what) (event \(row.event.sequence), \(context.names.name(thread: row.event.thread))\(location))"
          + "\(end) was never released." + contrast(leak.counterpart)
      )
    }
    if leak.cause == .unbalanced, !isTakenByLibrary {
      sentences.append(
        "This happens after a passRetained or retain() without its release, or when memory is deallocated or "
          + "overwritten without being deinitialized."
      )
    }
    return sentences
  }

  /// Whether all unbalanced references were taken by libraries.
  private var isTakenByLibrary: Bool {
    !leak.unbalanced.isEmpty
      && leak.unbalanced.allSatisfy { $0.event.kind != .allocate && context.library($0) != nil }
  }

  private var amounts: [String] {
    var sentences: [String] = []
    if leak.objectCount > 1 {
      sentences.append(
        "In all, \(Quantity.count(leak.objectCount, "object")) and \(Quantity.bytes(leak.bytes)) are leaked: "
          + "\(Self.list(leak.lost))."
      )
    }
    if leak.similar > 0 {
      sentences.append(
        "\(Quantity.number(leak.similar)) more "
          + "\(leak.isSimilarKnown ? "leaked in the same way" : "allocated by the same function leaked")\(others): "
          + "\(Quantity.count(leak.totalObjects, "object")), \(Quantity.bytes(leak.totalBytes)) in all."
      )
    }
    return sentences
  }

  /// ", with objects of Product and Quotient": the classes missing in the finding's own objects.
  private var others: String {
    guard !leak.otherClasses.isEmpty else { return "" }
    let names = leak.otherClasses.prefix(4).map(PathText.brief)
    let rest = leak.otherClasses.count - names.count
    let all = rest > 0 ? names + ["\(rest) more \(rest == 1 ? "class" : "classes")"] : names
    return ", with objects of " + (all.count > 1 ? all.dropLast().joined(separator: ", ") + " and " : "") + all.last!
  }

  /// "40 Change, 1 Editor".
  private static func list(_ counts: [Leak.ClassCount]) -> String {
    let names = counts.prefix(6).map { "\(Quantity.number($0.count)) \(PathText.brief($0.className))" }
    let rest = counts.count - names.count
    return (names + (rest > 0 ? ["\(rest) more \(rest == 1 ? "class" : "classes")"] : [])).joined(separator: ", ")
  }

  var suggestion: String? {
    switch leak.cause {
    case .cycle: return cut.map { $0 + (steps.contains(where: isSource) ? Self.resuming : "") }
    case .unbalanced where isTakenByLibrary: return nil
    case .unbalanced:
      return
        "Release the reference: takeRetainedValue() or release() at the last use of the pointer, "
        + "deinitialize() before memory is deallocated."
    case .memory:
      return closure.map { "Keep whatever was given \($0) until it has called or released the closure." }
        ?? "Release the object and free the memory before the last pointer to it is gone."
    case .task where isEnqueued: return "Have each executor run the jobs that it was given."
    case .task: return "Resume each continuation exactly once on every path, and finish each stream."
    case .holder(let name):
      guard let index = steps.indices.dropLast().last(where: { steps[$0].kind == .closure }),
        steps[index + 1].kind == .object,
        let closure = path[index].location.map({ "the closure at \($0)" }) ?? path[index].function
      else { return nil }
      return
        "If something else owns the \(PathText.brief(steps[index + 1].className)), capture it weakly or unowned in "
        + "\(closure), so that the \(PathText.brief(name)) does not keep it."
    case .context: return nil
    }
  }

  private func isSource(_ step: LeakStep) -> Bool { step.className == "Dispatch.DispatchSource" }

  /// libdispatch checks that (_dispatch_lane_class_dispose in queue.c).
  private static let resuming =
    " A dispatch source that was never activated, or is suspended, must be resumed before it is released, which ends "
    + "the program otherwise."

  private var cut: String? {
    guard let cut = leak.cut else { return nil }
    // For two closures, the path shows one.
    let step = cut.changes.count == 1 ? path.first { $0.isCut == true && $0.kind == "closure" } : nil
    let variable = variables.count == 1 ? variables.values.first : nil
    let lost = cut.perhapsLost.map { "the \(PathText.brief($0))" }.joined(separator: " and ")
    let sentence =
      ChangeWording(cut, closurePlace: step?.location, variable: variable, context).sentence
      + (lost.isEmpty ? "" : ", if something else owns \(lost)")
    let all =
      (cut.isWhole ? "everything" : "all of the program's own objects") + (leak.similar > 0 ? " around \(object)" : "")
      + (cut.isShared ? " as soon as no other leak holds it" : "")
    // It is not certain that a task ends once it resumes.
    let several = cut.changes.contains { if case .endTasks(let tasks) = $0 { tasks.count > 1 } else { false } }
    let frees =
      several
      ? "When the tasks have ended, that frees" : cut.endsTasks ? "When the task then ends, it frees" : "That frees"
    if let breaker = cut.breaker { return "\(sentence). \(Self.rest(cut, breaker, of: leak.objectCount, frees))" }
    // The explanation lists what leaks with it.
    if cut.isWhole, leak.objectCount > 1, cut.freed == leak.lost { return "\(sentence). \(frees) \(all)." }
    return
      "\(sentence). \(frees) \(all): \(Quantity.count(cut.objectCount, "object")), \(Quantity.bytes(cut.bytes)) "
      + "(\(Self.list(cut.freed)))."
  }

  /// What is certainly freed of some objects, and what may free the others then.
  static func rest(_ cut: LeakCut, _ breaker: String, of count: Int, _ frees: String = "That frees") -> String {
    let call = "\(cut.closes ? "handlerRemoved(context:)" : "the deinit") of \(PathText.brief(breaker))"
    if cut.objectCount == 0 { return "Then \(call) may free what keeps itself." }
    let rest = count - cut.objectCount
    let others = rest == 1 ? "Another one keeps itself" : "The other \(Quantity.number(rest)) keep each other"
    return
      "\(frees) \(Quantity.count(cut.objectCount, "object")), \(Quantity.bytes(cut.bytes)) (\(list(cut.freed))). "
      + "\(others); \(call), which then runs, may free \(rest == 1 ? "it" : "them")."
  }
}
