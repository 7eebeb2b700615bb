import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Judges contracts about holders and how long they hold, from the objects' full histories.
struct HoldContractInspector {
  /// Maximum number of histories read; a contract on a class with more objects cannot be judged as kept.
  static let limit = 2000

  let trace: Trace
  let summary: LifetimeSummary
  let names: any CodeNaming
  let rules: HoldRules

  /// - Throws: `TraceError` if the file can no longer be read.
  func results(_ contracts: [Contract]) throws -> [ContractResult] {
    var objects: Set<ObjectID> = []
    var missed: [String: Int] = [:]
    for totals in summary.tracker.classes where contracts.contains(where: { $0.concerns(totals.name) }) {
      let room = max(0, Self.limit - objects.count)
      for number in 1...max(1, min(totals.allocated, room)) where totals.allocated > 0 && room > 0 {
        objects.insert(ObjectID(className: totals.name, number: number))
      }
      if totals.allocated > room { missed[totals.name] = totals.allocated - room }
    }
    let reader =
      objects.isEmpty ? nil : try LifetimeReader(trace, summary, objects: objects, names: names, rules: rules)
    return contracts.map { contract in
      let concerned = reader?.lifetimes.filter { contract.concerns($0.id.className) } ?? []
      let judged = judge(contract, concerned) { reader?.hiddenHolders(of: $0, during: $1) ?? [] }
      guard judged.outcome == .kept, let missing = missed.first(where: { contract.concerns($0.key) }) else {
        return judged
      }
      return ContractResult(
        contract: contract, outcome: .unknown,
        sentence: "\(judged.sentence) But \(missing.value) more of \(missing.key) were not examined.")
    }
  }

  private func judge(
    _ contract: Contract, _ lifetimes: [ObjectLifetime], hidden: (ObjectID, Hold) -> [Holder]
  ) -> ContractResult {
    guard !lifetimes.isEmpty else { return ContractResult(absentFrom: contract) }
    if let unseen = trace.classWithoutRetains(where: contract.concerns) {
      return ContractResult(
        contract: contract, outcome: .unknown,
        sentence: "Retains and releases of \(unseen) were not recorded; --depth full without --retains records them.")
    }
    var doubts: [String] = []
    var count = 0
    for lifetime in lifetimes {
      switch judge(contract.rule, lifetime, hidden) {
      case .kept: count += 1
      case .broken(let sentence): return ContractResult(contract: contract, outcome: .broken, sentence: sentence)
      case .doubtful(let sentence): doubts.append(sentence)
      case .notConcerned: break
      }
    }
    if let doubt = doubts.first { return ContractResult(contract: contract, outcome: .unknown, sentence: doubt) }
    guard case .diesWithin(_, let holder) = contract.rule else {
      return ContractResult(
        contract: contract, outcome: .kept, sentence: "No other holder was recorded (\(count) checked).")
    }
    guard count > 0 else {
      return ContractResult(
        contract: contract, outcome: .unknown,
        sentence:
          "\(holder.text) released none of the recorded objects (\(lifetimes.count) checked); "
          + "'lifeline history' shows who held an object."
      )
    }
    return ContractResult(
      contract: contract, outcome: .kept,
      sentence: "Every object released by \(holder.text) was freed in time (\(count) checked).")
  }

  private enum Judgement {
    case kept, notConcerned
    case broken(String), doubtful(String)
  }

  private func judge(
    _ rule: Contract.Rule, _ lifetime: ObjectLifetime, _ hidden: (ObjectID, Hold) -> [Holder]
  ) -> Judgement {
    switch rule {
    case .diesWithin(let delay, let holder): diesWithin(delay, holder, lifetime)
    case .holdersOnly(let allowed): holdersOnly(allowed, lifetime, hidden)
    default: .notConcerned
    }
  }

  /// "20.569 ms": a limit that was just missed must not look kept.
  private static func milliseconds(_ nanoseconds: UInt64) -> String {
    let fraction = String(nanoseconds / 1_000 % 1_000)
    return "\(nanoseconds / 1_000_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " ms"
  }

  private func diesWithin(_ delay: Contract.Delay, _ holder: HolderPattern, _ lifetime: ObjectLifetime) -> Judgement {
    let matching = lifetime.holds.filter { holder.matches($0.holder) }
    let holds = matching.filter { $0.confidence > .perhaps }
    if holds.isEmpty, let guess = matching.first {
      return .doubtful(
        "It is a guess that \(holder.text) held \(lifetime.id) from event \(guess.retain.event.sequence) on.")
    }
    // The holder has not released it while one of its references lasts.
    guard !holds.isEmpty, holds.allSatisfy({ $0.release != nil }),
      let end = holds.compactMap(\.release).max(by: { $0.event.sequence < $1.event.sequence })
    else { return .notConcerned }
    // What may have been another reference of the holder lasted longer.
    let guesses = lifetime.holds.filter {
      holder.matches($0.holder) && $0.confidence == .perhaps || holder.mayMatch($0.holder)
    }
    if let guess = guesses.first(where: { $0.to ?? .max > end.event.sequence }) {
      return .doubtful(
        "It is a guess that \(holder.text) held \(lifetime.id) from event \(guess.retain.event.sequence) on.")
    }
    guard let final = lifetime.history.finalRelease else {
      return .broken(
        "\(lifetime.id) was live at exit, though \(holder.text) released it at event \(end.event.sequence).")
    }
    let events = final.event.sequence - min(final.event.sequence, end.event.sequence)
    let time = trace.recording.nanoseconds(at: final.event.clock)
    let span = time - min(time, trace.recording.nanoseconds(at: end.event.clock))
    guard (delay.unit == .events ? events : span) > delay.limit else { return .kept }
    let measured = delay.unit == .events ? "\(events) events" : Self.milliseconds(span)
    let keeper =
      lifetime.lateDeallocation.flatMap { HolderPattern.names($0.kept.holder)?.first }.map { "; \($0) kept it" } ?? ""
    return .broken(
      "\(lifetime.id) died \(measured) after \(holder.text) released it at event \(end.event.sequence)\(keeper).")
  }

  private func holdersOnly(
    _ allowed: [HolderPattern], _ lifetime: ObjectLifetime, _ hidden: (ObjectID, Hold) -> [Holder]
  ) -> Judgement {
    var doubt: String?
    for hold in lifetime.holds {
      // A reference that a running function may have been given may also be in something where it stored it.
      if case .function(let function) = hold.holder, hold.confidence > .perhaps {
        guard doubt == nil,
          let other = hidden(lifetime.id, hold).first(where: { other in !allowed.contains { $0.matches(other) } })
        else { continue }
        let name = HolderPattern.names(other)?.first ?? "a variable"
        doubt =
          "\(function), whose code was optimized, had \(lifetime.id) from event \(hold.from) to "
          + "\(hold.to ?? hold.from); what was inlined into it may have stored it meanwhile, in \(name) for example."
        continue
      }
      if hold.confidence > .perhaps, allowed.contains(where: { $0.matches(hold.holder) }) { continue }
      // A guess does not break a contract, nor does one of several properties, some of which are allowed.
      guard hold.confidence > .perhaps, !allowed.contains(where: { $0.mayMatch(hold.holder) }),
        let name = HolderPattern.names(hold.holder)?.first
      else {
        doubt = doubt ?? "It is unknown who held \(lifetime.id) from event \(hold.retain.event.sequence) on."
        continue
      }
      let sort = hold.holder.isTransient ? ", a passing holder" : ""
      return .broken("\(lifetime.id) was held by \(name)\(sort), from event \(hold.from) on.")
    }
    return doubt.map { .doubtful($0) } ?? .kept
  }
}
