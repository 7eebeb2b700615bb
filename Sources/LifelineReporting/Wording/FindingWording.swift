import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication

/// The sentences of a finding.
struct FindingWording {
  let finding: Finding
  private let backtraces: [Report.Backtrace]
  private let method: String?
  let causes: CauseWording
  private let leak: LeakWording?

  init(_ finding: Finding, backtraces: [Report.Backtrace], method: String?, context: ReportContext) {
    self.finding = finding
    self.backtraces = backtraces
    self.method = method
    causes = CauseWording(context: context)
    leak = finding.leak.map { LeakWording($0, object: finding.object, context: context) }
  }

  /// How a leaked object is held.
  var path: [Report.PathStep] { leak?.path ?? [] }

  func backtrace(_ role: Finding.Role) -> Report.Backtrace? { backtraces.first { $0.role == role.rawValue } }

  var title: String {
    let id = finding.object.description
    switch finding.kind {
    case .useAfterFree where finding.isReadOfReference:
      return "what \(id) referred to was used \(delay) \(id) was freed"
    case .useAfterFree:
      let verb =
        switch finding.access {
        case .message: "was messaged"
        case .retain: "was retained"
        case .release: "was released"
        case .read: "was read"
        case .write: "was written to"
        case nil: "was used"
        }
      return "\(id) \(verb) \(delay) \(isRace ? "its deinit began" : "it was freed")"
    case .overRelease: return "\(id) was released more often than it was retained"
    case .notAnObject:
      let verb = finding.access == .release ? "released" : "retained"
      return finding.object.number == 0 && finding.object.className.isEmpty
        ? "\(id) was \(verb), but there is no object at that address"
        : "\(id) was \(verb) \(delay) it was freed, and its memory now holds something else"
    case .resurrection:
      return isUnseenEscape
        ? "\(id) was still referred to when its deinit ended" : "\(id) escaped from its own deinit"
    case .unownedAfterDeinit: return "an unowned reference to \(id) was read \(delay) its deinit began"
    case .lateDeallocation:
      let late = finding.lifetime?.lateDeallocation
      return "\(id) outlived its last owner by \(late.map(causes.delay) ?? "some events")\(more)"
    case .nearMiss:
      return "\(id) was used while only \(keepers) kept it alive\(more)"
    case .leak: return leak?.title ?? "\(id) is live at exit"
    }
  }

  private var alike: String? { Self.alike(finding.alike.map(\.object)) }

  private var more: String {
    finding.alike.isEmpty ? "" : ", and \(Quantity.number(finding.alike.count)) more like it"
  }

  /// What held the object at a near miss: only transient holders.
  private var keepers: String {
    guard let lifetime = finding.lifetime, let late = lifetime.lateDeallocation, let access = finding.place(.access)
    else {
      return "a passing hold"
    }
    let row = access.event.sequence
    let held = lifetime.holds.filter {
      $0.holder.isTransient && $0.holds(at: row) && $0.retain.event.sequence != row
    }
    var names: [String] = []
    for hold in [late.kept] + held where !names.contains(HolderWording(hold).name) {
      names.append(HolderWording(hold).name)
    }
    return names.count > 2 ? "passing holds" : names.joined(separator: " and ")
  }

  /// Another thread took the object while its deinit ran.
  private var isRace: Bool {
    guard finding.kind == .useAfterFree, let access = finding.place(.access), let intruder = finding.lifetime?.intruder
    else { return false }
    return access.event.sequence == intruder.event.sequence
  }

  /// The optimizer may let a deinit that stores self free the object first.
  private var isInOwnDeinit: Bool {
    guard finding.kind == .useAfterFree, let access = backtrace(.access), let end = backtrace(.deallocation) else {
      return false
    }
    return access.followsInDeinit(end)
  }

  /// "41 µs (9 events) after", or "9 events after".
  private var delay: String {
    guard let access = finding.place(.access),
      let end = (isRace ? nil : finding.place(.deallocation)) ?? finding.place(.finalRelease),
      access.event.sequence > end.event.sequence
    else { return "after" }
    let nanoseconds = causes.context.recording.nanoseconds
    let time = Quantity.known(
      nanoseconds(access.event.clock) - min(nanoseconds(end.event.clock), nanoseconds(access.event.clock)))
    let events = Quantity.count(access.event.sequence - end.event.sequence, "event")
    return (time.map { "\($0) (\(events))" } ?? events) + " after"
  }

  var explanation: [String] {
    switch finding.kind {
    case .lateDeallocation: lateDeallocation
    case .nearMiss: nearMiss
    case .leak: leak?.explanation ?? []
    default:
      access + onStack + (isRace ? finding.lifetime.flatMap(causes.intrusion).map { [$0] } ?? [] : []) + end
        + finding.handCounts.map(causes.handCount) + surplus + unseenRace + sender + forgotten
    }
  }

  private var forgotten: [String] {
    guard finding.object.number == 0, causes.context.recording.keep != nil else { return [] }
    return ["It was allocated and freed before the events that are kept, so nothing more is known of it."]
  }

  /// For an over-release, the other releases that may be the one too many.
  private var surplus: [String] {
    guard finding.kind == .overRelease, finding.handCounts.isEmpty, let lifetime = finding.lifetime,
      let access = finding.place(.access)
    else { return [] }
    return causes.surplus(lifetime, before: access.event.sequence).map { [$0] } ?? []
  }

  private var access: [String] {
    guard let access = backtrace(.access), let frame = access.responsible else { return [] }
    let what =
      switch finding.access {
      case .message: "sent it \(method ?? "a message")"
      case .retain: "retained it"
      case .release: "released it"
      case .read where finding.isReadOfClass: "read its class pointer, as method calls do"
      case .read where finding.isReadOfReference:
        "used what a property of \(finding.object) referred to, which was freed as well"
      case .read: "read one of its properties"
      case .write: "wrote to one of its properties"
      case nil:
        finding.kind == .unownedAfterDeinit
          ? unownedRead : finding.kind == .resurrection ? "retained it and kept it" : "used it"
      }
    if isInOwnDeinit {
      return [
        "\(target)'s deinit \(what) after it had freed the object (event \(access.event), \(access.thread)): it stored "
          + "self, or passed it on."
      ]
    }
    let reference = finding.kind == .unownedAfterDeinit ? nil : finding.sender.flatMap(causes.reference)
    let event = "(event \(access.event), \(access.thread)\(place(access)))"
    // That a property pointed to the object does not prove that it was used.
    if let reference, finding.sender?.isShown == true, finding.sender?.isDeclared == false {
      return ["\(frame.function) \(what) \(event); \(reference), still pointed to it."]
    }
    return ["\(frame.function) \(what)\(reference.map { " through \($0)" } ?? "") \(event)."]
  }

  /// "read Car#1.engine, an unowned reference to it".
  private var unownedRead: String {
    let property = finding.sender.flatMap { $0.property?.strength == .unowned ? causes.property($0) : nil }
    return "read \(property.map { "\($0), " } ?? "")an unowned reference to it"
  }

  /// Where an address is that can only have been an object's that the optimizer put on a stack.
  private var onStack: [String] {
    guard finding.kind == .notAnObject, let stack = finding.stack else { return [] }
    return [
      "The address is on \(stack == .main ? "the main thread's" : "that thread's") stack. The optimizer may put an "
        + "object there, which is gone when its function returns."
    ]
  }

  private var end: [String] {
    var sentences: [String] = []
    // With more releases than retains it is unknown which was an owner's.
    let isOwnerKnown = finding.kind != .overRelease && !(finding.isByOwner && !finding.handReleases.isEmpty)
    if isOwnerKnown, let owner = finding.lifetime.flatMap(causes.lastOwner) {
      sentences.append(owner)
    } else if let end = backtrace(.finalRelease), let frame = end.responsible {
      sentences.append(lastRelease(frame, end, place(end)))
    } else if let end = backtrace(.deallocation) {
      // If releases are not recorded, the caller of the deinit made the last one.
      let caller = end.frames.drop { $0.isSystem || $0.isMadeByCompiler || $0.isDeinit }.first { !$0.isSystem }
      if let frame = caller ?? end.responsible {
        sentences.append(lastRelease(frame, end, caller?.location.map { ", \($0)" } ?? place(end)))
      }
    }
    if let birth = backtrace(.allocation), let frame = birth.responsible {
      sentences.append("It was allocated by \(frame.function) (event \(birth.event), \(birth.thread)\(place(birth))).")
    }
    return sentences
  }

  private func lastRelease(_ frame: Report.Frame, _ end: Report.Backtrace, _ place: String) -> String {
    // A function that ends in a tail call to the runtime is not on the stack.
    let called = frame.isSystem ? " or a function that it called" : ""
    return
      "Its last strong reference was released by \(frame.function)\(called) "
      + "(event \(end.event), \(end.thread)\(place))."
  }

  /// How the sender was still alive, if it should not have been.
  private var sender: [String] {
    guard let sender = finding.sender, let lifetime = sender.lifetime, let late = lifetime.lateDeallocation,
      let access = finding.place(.access),
      late.contains(access.event.sequence)
    else { return [] }
    let name = sender.property.map { " and its \($0.name) pointed to freed memory" } ?? ""
    let lateness =
      late.finalRelease == nil
      ? "By then it had outlived that owner by \(causes.delay(late))" : "It was deallocated \(causes.delay(late)) late"
    return causes.lateDeallocation(late, of: "The sender, \(lifetime.id),")
      + ["\(lateness); meanwhile \(finding.object) died\(name)."]
      + (causes.doubt(lifetime).map { [$0] } ?? [])
  }

  private var lateDeallocation: [String] {
    guard let lifetime = finding.lifetime, let late = lifetime.lateDeallocation else { return [] }
    var sentences = causes.lateDeallocation(late, of: lifetime.id.description)
    for consequence in finding.consequences { sentences += causes.consequence(consequence, of: late) }
    if finding.similar > 0 {
      sentences.append(
        "\(Quantity.count(finding.similar, "further object")) died at the same place and "
          + "\(finding.similar == 1 ? "was" : "were") not examined."
      )
    }
    return sentences + [causes.doubt(lifetime), alike].compactMap { $0 }
  }

  private var nearMiss: [String] {
    guard let lifetime = finding.lifetime, let late = lifetime.lateDeallocation, let access = backtrace(.access),
      let frame = access.responsible
    else { return [] }
    let what =
      switch finding.access {
      case nil: unownedRead
      case .read: "used an uncounted reference to it"
      default: "retained it"
      }
    let reference = finding.access == nil ? nil : finding.sender.flatMap(causes.reference)
    let through = reference.map { " through \($0)" } ?? ""
    return ["\(frame.function) \(what)\(through) (event \(access.event), \(access.thread)\(place(access)))."]
      + causes.lateDeallocation(late, of: "It")
      + ["Without that hold this would have been \(finding.access == nil ? "a trap" : "a use after free")."]
      + (finding.isPerhapsGiven ? [Self.perhapsGiven] : [])
      + [causes.doubt(lifetime), alike].compactMap { $0 }
  }

  private static let perhapsGiven =
    "If the code that this hold was made for had stored that reference itself, which does not show, this was correct."

  private func place(_ backtrace: Report.Backtrace) -> String { backtrace.statedPlace.map { ", \($0)" } ?? "" }

  var suggestion: String? {
    switch finding.kind {
    case .useAfterFree where isRace: raceSuggestion
    case .useAfterFree where isInOwnDeinit: Self.keepingSelf
    case .overRelease where !finding.handCounts.isEmpty: "Look for \(Self.unbalanced) in \(counters)."
    case .useAfterFree where !finding.handCounts.isEmpty || finding.hasHandReleases: countedSuggestion
    case .useAfterFree, .unownedAfterDeinit, .nearMiss: danglingSuggestion
    case .overRelease:
      (isByTwoThreads ? Self.locking + "Otherwise look for " : "Look for ")
        + "\(Self.unbalanced), and for memory that is deinitialized or moved from twice."
    case .notAnObject where finding.stack != nil:
      "Check where the pointer comes from: an object that escaped from its own deinit, or a pointer or unowned(unsafe) "
        + "reference that outlived its object."
    case .notAnObject:
      "Check where the pointer comes from: an Unmanaged or unsafeBitCast of something that is not an object, "
        + "or of an object freed long ago."
    case .leak: leak?.suggestion
    case .resurrection: isUnseenEscape ? Self.keepingSelf + Self.orTaken : Self.keepingSelf
    default: nil
    }
  }

  private static let keepingSelf = "Do not store self, or pass it to anything that keeps it, in deinit."
  private static let orTaken =
    " If another thread took it, protect reading and replacing the reference with a lock, an actor or a serial queue."
  private static let unbalanced = "an Unmanaged.release() or takeRetainedValue() without its retain"

  private var counters: String { finding.handCounts.map(\.counter).joined(separator: " and ") }

  /// A use after free where references were counted manually: the reference that was used may not own the object, or an
  /// owner may have lost its reference to a release too many.
  private var countedSuggestion: String {
    if finding.sender?.property != nil {
      guard !finding.handCounts.isEmpty else { return danglingSuggestion }
      return "\(danglingSuggestion) If \(counters) should not have released its last reference, look for "
        + "\(Self.unbalanced) there."
    }
    if finding.possibleReference != nil, finding.handCounts.isEmpty, finding.handReleases.isEmpty {
      return danglingSuggestion
    }
    let places = finding.handReleases.reversed().map(causes.context.place).map { place in
      place.function + (place.location.map { " (\($0))" } ?? "")
    }
    let memory = finding.isByOwner ? ", or for memory that is deinitialized or moved from too early" : ""
    let place = finding.handCounts.isEmpty ? places.first.map { ", as in \($0)" } ?? memory : " in \(counters)"
    return race + "If the reference that was used owns \(finding.object), it was released once too often: look for "
      + "\(Self.unbalanced)\(place). Otherwise make that reference weak, clear it in "
      + "\(target)'s deinit, or hold the object strongly for as long as it is used."
  }

  /// The class; nothing is known of an object from before the kept events.
  private var target: String {
    finding.object.shortClassName.isEmpty ? "the object" : finding.object.shortClassName
  }

  /// What another thread that uses an object during its deinit needs: a reference that keeps it, or is nil by then. A
  /// lock helps only if the reference owns the object.
  private var raceSuggestion: String {
    guard let sender = finding.sender, let property = sender.property else {
      return suggestion(
        otherwise: "protect reading and replacing the reference with a lock, an actor or a serial queue.")
    }
    let name = Self.name(property, of: sender)
    let change =
      property.strength == .unmanaged
      ? "Keep a weak reference in \(name) instead of an Unmanaged, or \(Self.owning)." : "Make \(name) weak."
    return "\(change) A lock around a reference that does not own the object cannot keep it alive."
  }

  /// Which reference to change if it was used, and what to do if another was.
  private func suggestion(otherwise general: String) -> String {
    let capture = finding.capturer.map { CaptureWording(capturer: $0, object: finding.object, context: causes.context) }
    if let capture, capture.isPossible { return "\(capture.condition), \(capture.change). Otherwise \(general)" }
    guard let other = finding.possibleReference, let property = other.property else {
      return general.prefix(1).uppercased() + general.dropFirst()
    }
    let change =
      property.strength == .unmanaged ? "keep a weak reference there instead or \(Self.owning)" : "make it weak"
    return "If \(Self.name(property, of: other)), an \(property.strength.rawValue) reference, was used, \(change). "
      + "Otherwise \(general)"
  }

  private var danglingSuggestion: String {
    guard let sender = finding.sender, let property = sender.property else {
      let general =
        "make the reference weak, clear it in \(target)'s deinit, or hold the object strongly for as long "
        + "as it is used."
      return isPerhapsReplaced ? "\(Self.locking)Otherwise \(general)" : suggestion(otherwise: general)
    }
    let name = Self.name(property, of: sender)
    let basic =
      property.strength == .unmanaged
      ? "Keep a weak reference in \(name) instead of an Unmanaged, \(Self.owning), or clear it in \(target)'s "
        + "deinit."
      : "Make \(name) weak, clear it in \(target)'s deinit, or copy it to a strong variable before the "
        + "call that may free it."
    guard let late = sender.lifetime?.lateDeallocation, case .activity(let rule) = late.kept.holder else {
      return basic
    }
    return "\(basic) \(rule.reason)"
  }

  /// What to do with an `Unmanaged`, which cannot be weak.
  private static let owning =
    "let the Unmanaged own the object (passRetained, and release() when it is no longer used)"

  /// "Edge.target", as the class declares it that has to be changed: once for all subclasses and type arguments.
  private static func name(_ property: StoredProperty, of sender: Sender) -> String {
    let declarer = ObjectID(className: sender.declarer ?? sender.className, number: 1)
    return "\(declarer.shortClassName.withoutTypeArguments).\(property.name)"
  }

  var fingerprint: String {
    Fingerprint(
      kind: finding.kind.rawValue, className: finding.object.className, backtraces: backtraces,
      path: PathText(path).identity
    ).text
  }
}
