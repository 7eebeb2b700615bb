import LifelineAnalysis
import LifelineLifetimes

/// The sentences that explain why: who held an object, who released it when, and what kept it.
struct CauseWording {
  let context: ReportContext

  /// " (event 33, Master.swift:15)".
  private func at(_ row: HistoryRow) -> String {
    let location = context.place(row).location.map { ", \($0)" } ?? ""
    return " (event \(row.event.sequence)\(location))"
  }

  /// The releasing function, unless it is in the holder's name.
  private func letGo(_ row: HistoryRow) -> String {
    let function = context.place(row).function
    return function.isEmpty ? "released it" : "released it in \(function)"
  }

  /// An owner and where it released the object: "Board#1.canvas, which released it in Board.erase()". What a library
  /// owned is only known by the function that released it.
  private func owner(_ hold: Hold, _ release: HistoryRow) -> String {
    guard case .library(let function, _) = hold.holder else {
      return "\(HolderWording(hold).name), which \(letGo(release))"
    }
    let caller = context.place(release).function
    let perhaps = hold.confidence == .perhaps ? "perhaps " : ""
    return "\(perhaps)a reference that \(function) released" + (["", function].contains(caller) ? "" : " in \(caller)")
  }

  /// The freed object's last owner, and where it released the object.
  func lastOwner(_ lifetime: ObjectLifetime) -> String? {
    guard let final = lifetime.history.finalRelease else { return nil }
    if let property = lifetime.lastProperty {
      // Which object's it was may be known from elsewhere.
      let hold = lifetime.holds.first {
        $0.to == final.event.sequence && $0.confidence > .perhaps && $0.holder.isSameProperty(as: property)
      }
      let name = hold.map { HolderWording($0).name } ?? HolderWording(property).name
      return "The last owner of \(lifetime.id) was \(name), which \(letGo(final))\(at(final)); that was the final "
        + "release."
    }
    guard
      let last = lifetime.holds.filter({ ($0.to ?? .max) <= final.event.sequence && $0.holder.isOwner }).max(by: {
        $0.to! < $1.to!
      }), let release = last.release, !last.isDoubtful, !isInterchangeable(release, of: last, lifetime),
      !isBlind(last.holder, release)
    else { return nil }
    let isFinal = release.event.sequence == final.event.sequence
    if !isFinal, mayHaveBeenContained(lifetime, final) { return nil }
    return "The last owner of \(lifetime.id) was \(owner(last, release))\(at(release))"
      + (isFinal ? "; that was the final release." : "; it died at event \(final.event.sequence).")
  }

  /// Whether the holder may be the function itself that released, as its name is unknown.
  private func isBlind(_ holder: Holder, _ release: HistoryRow) -> Bool {
    guard case .reference = holder else { return false }
    return context.place(release).function.contains("+0x")
  }

  /// Whether the last reference, which a function seems to have had, was freed with something that contained it, as an
  /// array does, which may have belonged to another owner.
  private func mayHaveBeenContained(_ lifetime: ObjectLifetime, _ final: HistoryRow) -> Bool {
    guard let last = lifetime.holds.first(where: { $0.to == final.event.sequence }), last.balance != .sure,
      case .function = last.holder
    else { return false }
    return context.backtrace(final, role: .finalRelease).frames.prefix(while: \.isSystem).contains {
      $0.function == "_swift_release_dealloc"
    }
  }

  /// Whether a statement that released had also retained: then one of its releases is its own, and it is unknown which.
  /// A release at the end of a function is a tail call, and appears as its caller's. What a library's function released
  /// is not the statement's own, unless that function took it as well.
  private func isInterchangeable(_ release: HistoryRow, of last: Hold, _ lifetime: ObjectLifetime) -> Bool {
    let rows = lifetime.history.rows
    let place = context.place(release), releaser = helper(of: release)
    return place.location != nil
      && lifetime.pairing.pairs.contains { pair in
        let (taken, given) = (rows[pair.retain], rows[pair.release])
        return taken.event.kind != .allocate && taken.event.sequence > last.retain.event.sequence
          && taken.event.sequence < given.event.sequence && given.event.sequence < release.event.sequence
          && taken.event.thread == release.event.thread && context.place(taken) == place
          && [nil, helper(of: taken), helper(of: given)].contains(releaser)
      }
  }

  /// The library's or generated function, if one retained or released.
  private func helper(of row: HistoryRow) -> String? {
    guard let frame = context.backtrace(row, role: .release).frames.first, frame.isSystem || frame.isMadeByCompiler
    else {
      return nil
    }
    return frame.function
  }

  /// What kept an object after its last owner released it; `name` is its name in the sentence.
  func lateDeallocation(_ late: LateDeallocation, of name: String) -> [String] {
    let keeper = HolderWording(late.kept).name
    var reason = ""
    if case .activity(let rule) = late.kept.holder { reason = ", because \(rule.activity) [rule \(rule.id)]" }
    let end =
      late.finalRelease.map { "kept it until event \($0.event.sequence)" } ?? "still kept it at event \(late.until)"
    return [
      "\(name) had lost its last owner, \(owner(late.lastOwner, late.ownerRelease))\(at(late.ownerRelease)).",
      late.keptSince.map { "But \(keeper) had held it since event \($0) and \(end)\(reason)." }
        ?? "But \(keeper) \(end)\(reason).",
    ] + (late.registration.map { [registration($0)] } ?? [])
  }

  private func registration(_ hold: Hold) -> String {
    "Nothing shows whether the reference that \(HolderWording(hold).name) took\(at(hold.retain)) had been given up "
      + "by then; if not, that kept it, too."
  }

  /// The consequence of a late deallocation.
  func consequence(_ consequence: Consequence, of late: LateDeallocation) -> [String] {
    switch consequence {
    case .harm, .nearMiss: return []
    case .work(let methods):
      let places = methods.prefix(4).map { method -> String in
        let frame = context.backtrace(method.row, role: .access).frames.first {
          $0.function == method.function && $0.line != nil
        }
        let location =
          frame.flatMap { frame in
            frame.file.flatMap { $0.split(separator: "/").last }.map { ", \($0):\(frame.line ?? 0)" }
          } ?? ""
        return "\(method.function) (event \(method.row.event.sequence)\(location))"
      }
      let rest = methods.count > 4 ? " and \(Quantity.count(methods.count - 4, "more method"))" : ""
      return ["Meanwhile its methods ran: \(places.joined(separator: ", "))\(rest)."]
    case .elsewhere(_, let className):
      guard let final = late.finalRelease else { return [] }
      let (end, owner) = (place(final), place(late.ownerRelease))
      let ended = className.map { name in
        "The deinit of \(ObjectID(className: name, number: 1).shortClassName), which was freed with it,"
      }
      return [
        "\(ended ?? "Its deinit") ran on \(end), not on \(owner), where its owner released it."
      ]
    }
  }

  /// Where an event's code ran, within a sentence.
  private func place(_ row: HistoryRow) -> String {
    let (event, trace) = (row.event, context.names.trace)
    if trace.isMainQueue(event.queue), !trace.isMainThread(event.thread) { return "the main queue" }
    let queue = trace.isMainQueue(event.queue) ? nil : trace.queueLabel(event.queue)
    return queue.map { "the serial queue \"\($0)\"" } ?? Self.noun(context.names.name(thread: event.thread))
  }

  /// Says that another thread took an object while its deinit ran; nil if none did.
  func intrusion(_ lifetime: ObjectLifetime) -> String? {
    guard let intruder = lifetime.intruder, let final = lifetime.history.finalRelease else { return nil }
    let (other, own) = (
      context.names.name(thread: intruder.event.thread), context.names.name(thread: final.event.thread)
    )
    return
      "Its deinit was running on \(Self.noun(own)) after its final release\(at(final)) when \(Self.noun(other)) "
      + "retained it\(at(intruder)), which is a use after its end."
  }

  /// A thread's name within a sentence.
  static func noun(_ thread: String) -> String { thread.hasPrefix("main thread") ? "the \(thread)" : thread }

  /// Which releases before the final one had no retain in the same call; nil if all had.
  ///
  /// If an owner releases an object that is freed already, the release too many is an earlier one.
  func surplus(_ lifetime: ObjectLifetime, before access: UInt64) -> String? {
    let (rows, pairing) = (lifetime.history.rows, lifetime.pairing)
    let sure = Set(pairing.pairs.filter { $0.confidence == .sure }.map(\.release))
    // What a call got from a getter and released is balanced as well.
    let gotten = lifetime.holds.compactMap { hold in
      if case .function = hold.holder, context.place(hold.retain).function.hasSuffix(".getter") { hold.to } else { nil }
    }
    let others = Set(gotten + [lifetime.history.finalRelease?.event.sequence].compactMap(\.self))
    let releases = rows.indices.filter { index in
      rows[index].event.strongChange < 0 && rows[index].event.sequence < access && !sure.contains(index)
        && !others.contains(rows[index].event.sequence)
    }
    guard !releases.isEmpty else { return nil }
    let places = releases.prefix(4).map { "\(context.place(rows[$0]).function)\(at(rows[$0]))" }
    let rest = releases.count > 4 ? " and \(Quantity.count(releases.count - 4, "further release"))" : ""
    return "The release too many may also be an earlier one: \(places.joined(separator: ", "))\(rest)."
  }

  /// Who counted references manually, and how.
  func handCount(_ count: HandCount) -> String {
    let releases = count.releases.prefix(4).map { "event \($0.event.sequence)" }.joined(separator: ", ")
    let rest = count.releases.count > 4 ? ", …" : ""
    let taken =
      !count.retains.isEmpty
      ? "and retained it \(Self.times(count.retains.count))" + (count.isCreator ? ", besides creating it" : "")
      : count.isCreator ? "but had only the reference it created it with" : "and never retained it"
    return "\(count.counter), which has only a pointer to it, released it "
      + "\(Self.times(count.releases.count)) (\(releases)\(rest)) \(taken)"
      + (count.tookOthers ? ", not counting pairs within one call." : ".")
  }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : count == 2 ? "twice" : "\(count) times" }

  /// "8 events (12 µs)".
  func delay(_ late: LateDeallocation) -> String {
    let events = Quantity.count(late.events, "event")
    guard let final = late.finalRelease else { return "at least \(events)" }
    let from = context.recording.nanoseconds(at: late.ownerRelease.event.clock)
    let to = context.recording.nanoseconds(at: final.event.clock)
    return events + (Quantity.known(to >= from ? to - from : 0).map { " (\($0))" } ?? "")
  }

  /// "FetchedResultsController#1.delegate, an unowned(unsafe) reference", or nil if no property is known.
  func reference(_ sender: Sender) -> String? {
    property(sender).map { "\($0), an \(sender.property!.strength.rawValue) reference" }
  }

  /// "FetchedResultsController#1.delegate".
  func property(_ sender: Sender) -> String? {
    guard let property = sender.property else { return nil }
    let owner = sender.object?.description ?? ObjectID(className: sender.className, number: 1).shortClassName
    return "\(owner).\(property.name)"
  }

  /// What is uncertain about a life, or nil.
  func doubt(_ lifetime: ObjectLifetime) -> String? {
    if lifetime.history.isCut {
      return
        "\(lifetime.id) has so many events that \(Quantity.number(lifetime.history.leftOut)) are left out, so who "
        + "retained it there and may still hold it is unknown."
    }
    if lifetime.history.isOlder {
      return
        "\(lifetime.id) is older than the events that the recording keeps (--keep), so who held it before "
        + "and may still do so is unknown."
    }
    if lifetime.gaps > 0 {
      return
        "\(Quantity.count(lifetime.gaps, "event")) of \(lifetime.id) do not follow from the previous ones, "
        + "so its holders are likely, not certain."
    }
    if !lifetime.pairing.unpairedReleases.isEmpty {
      return
        "\(Quantity.count(lifetime.pairing.unpairedReleases.count, "release")) of \(lifetime.id) could not be paired "
        + "with a retain, so its holders are likely, not certain."
    }
    if let last = lifetime.passingOwner {
      return
        "Which references some calls had is a guess, so \(lifetime.id) may have had an owner before "
        + "\(HolderWording(last).name) got it."
    }
    return nil
  }
}
