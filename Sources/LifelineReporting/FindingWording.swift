import LifelineAnalysis

/// The sentences of a finding.
struct FindingWording {
  private let finding: Finding
  private let backtraces: [Report.Backtrace]
  private let method: String?
  private let nanoseconds: (UInt64) -> UInt64

  init(_ finding: Finding, backtraces: [Report.Backtrace], method: String?, nanoseconds: @escaping (UInt64) -> UInt64) {
    self.finding = finding
    self.backtraces = backtraces
    self.method = method
    self.nanoseconds = nanoseconds
  }

  private func backtrace(_ role: Finding.Role) -> Report.Backtrace? { backtraces.first { $0.role == role.rawValue } }

  var title: String {
    let id = finding.object.description
    switch finding.kind {
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
      return "\(id) \(verb) \(delay) it was freed"
    case .overRelease: return "\(id) was released more often than it was retained"
    case .notAnObject:
      let verb = finding.access == .release ? "released" : "retained"
      return finding.object.number == 0
        ? "\(id) was \(verb), but there is no object at that address"
        : "\(id) was \(verb) \(delay) it was freed, and its memory holds something else by now"
    case .resurrection: return "\(id) escaped from its own deinit"
    case .unownedAfterDeinit: return "an unowned reference to \(id) was read \(delay) its deinit began"
    case .lateDeallocation: return "\(id) was deallocated late"
    case .nearMiss: return "\(id) was used while only a passing hold kept it alive"
    case .leak: return "\(id) is live at exit"
    }
  }

  /// "41 µs (9 events) after".
  private var delay: String {
    guard let access = finding.place(.access), let end = finding.place(.deallocation) ?? finding.place(.finalRelease),
      access.event.sequence > end.event.sequence
    else { return "after" }
    let time = Quantity.duration(nanoseconds(access.event.clock) - min(nanoseconds(end.event.clock), nanoseconds(access.event.clock)))
    return "\(time) (\(Quantity.count(access.event.sequence - end.event.sequence, "event"))) after"
  }

  var explanation: [String] {
    var sentences: [String] = []
    if let access = backtrace(.access), let frame = access.responsible {
      let what =
        switch finding.access {
        case .message: "sent it \(method ?? "a message")"
        case .retain: "retained it, to use it"
        case .release: "released it"
        case .read: "read one of its properties"
        case .write: "wrote to one of its properties"
        case nil: finding.kind == .unownedAfterDeinit ? "read an unowned reference to it" : "used it"
        }
      sentences.append("\(frame.function) \(what) (event \(access.event), \(access.thread)\(place(access))).")
    }
    if let end = backtrace(.finalRelease) ?? backtrace(.deallocation), let frame = end.responsible {
      sentences.append("Its last strong reference was released by \(frame.function) (event \(end.event), \(end.thread)\(place(end))).")
    }
    if let birth = backtrace(.allocation), let frame = birth.responsible {
      sentences.append("It was allocated by \(frame.function) (event \(birth.event), \(birth.thread)\(place(birth))).")
    }
    return sentences
  }

  private func place(_ backtrace: Report.Backtrace) -> String { backtrace.location.map { ", \($0)" } ?? "" }

  var suggestion: String? {
    switch finding.kind {
    case .useAfterFree, .unownedAfterDeinit:
      "Make the reference weak, clear it in \(finding.object.shortClassName)'s deinit, or hold the object strongly for as long as it is used."
    case .overRelease: "Look for an Unmanaged.release() or takeRetainedValue() without its retain."
    case .notAnObject: "Look at where the pointer comes from: an Unmanaged or unsafeBitCast of something that is no object, or of one freed long ago."
    case .resurrection: "Do not store self, or pass it to anything that keeps it, in deinit."
    default: nil
    }
  }

  var fingerprint: String {
    Fingerprint(kind: finding.kind.rawValue, className: finding.object.className, backtraces: backtraces).text
  }
}
