import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Checks a trace against contracts in one pass; memory use grows with the live objects of the classes concerned.
///
/// A contract for a pattern applies to each matching class separately. An object is live until its deinit begins.
public struct ContractInspector {
  private struct LiveObject {
    let id: ObjectID
    let classIndex: Int
  }

  /// An object whose final release was seen, on the thread and at the event given, but not yet its deinit.
  private struct DyingObject {
    let life: LiveObject
    let place: Place
    let event: UInt64
  }

  /// A thread, and the string record of the serial queue whose code it was running.
  private struct Place: Hashable {
    let thread: UInt32
    let queue: UInt32

    init(_ event: Event) { (thread, queue) = (event.thread, event.queue) }
  }

  /// The observations of one class.
  private struct Observation {
    let name: String
    var allocated = 0
    var live = 0
    var peak = 0
    /// The first event with more live objects than before, by number of live objects, because each contract asks for
    /// one.
    var firstEvent: [Int: UInt64] = [:]
    /// First end at each place.
    var ends: [Place: (id: ObjectID, event: UInt64)] = [:]
  }

  private let contracts: [Contract]
  private let trace: Trace
  private let holds: HoldContractInspector
  private var observations: [Observation] = []
  private var indexByName: [String: Int] = [:]
  private var lives: [UInt64: LiveObject] = [:]
  private var dying: [UInt64: DyingObject] = [:]
  private var limits: Set<Int>
  private var numbers: ObjectNumbers
  /// Class records whose objects without an event are counted.
  private var countedClasses: Set<Int> = []
  private let lost: [String: [ObjectID]]?

  /// `lost` are the objects that are unreachable at exit; nil if that was not examined.
  ///
  /// - Parameter summary: of the same trace.
  public init(
    _ contracts: [Contract], _ trace: Trace, _ summary: LifetimeSummary, lost: Set<ObjectID>? = nil,
    names: any CodeNaming,
    rules: HoldRules = HoldRules()
  ) {
    self.lost = lost.map { Dictionary(grouping: $0, by: \.className) }
    self.contracts = contracts
    self.trace = trace
    numbers = ObjectNumbers(trace.baseLine)
    holds = HoldContractInspector(trace: trace, summary: summary, names: names, rules: rules)
    limits = Set(contracts.compactMap { if case .maxLive(let limit) = $0.rule { limit &+ 1 } else { nil } })
  }

  /// Results in the order of the contracts.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public mutating func results() throws -> [ContractResult] {
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) {
      if event.kind == .allocate {
        allocate(event)
      } else if let life = lives[event.object], event.isEnd {
        lives[event.object] = nil
        observations[life.classIndex].live -= 1
        dying[event.object] = DyingObject(life: life, place: Place(event), event: event.sequence)
      }
      if event.kind == .deallocate || event.kind == .free { end(at: event) }
    }
    for object in dying.values { end(object.life, at: object.place, event: object.event) }
    var held = try holds.results(contracts.filter(\.rule.needsHolds)).makeIterator()
    return contracts.map { contract in
      let result = contract.rule.needsHolds ? held.next() ?? result(contract) : result(contract)
      guard result.outcome == .kept, let part else { return result }
      let sentence = "\(part): \(result.sentence)"
      return ContractResult(contract: contract, outcome: .unknown, sentence: sentence)
    }
  }

  /// The recorded part of the run, if it is not all of it.
  private var part: String? {
    if trace.recording.sample > 1 { return "Of the sample, one object in \(trace.recording.sample)" }
    return trace.baseLine == nil ? nil : "Of what the recording keeps"
  }

  private mutating func allocate(_ event: Event) {
    if let missed = lives.removeValue(forKey: event.object) { observations[missed.classIndex].live -= 1 }
    if let missed = dying.removeValue(forKey: event.object) {
      end(missed.life, at: missed.place, event: missed.event)
    }
    let id = Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)
    let older = numbers.next()
    let name = trace.tables.classes[id]?.name ?? ""
    guard let index = index(of: name) else { return }
    if countedClasses.insert(id).inserted { observations[index].allocated &+= numbers.unseen(ofClass: id) }
    observations[index].allocated += 1
    observations[index].live += 1
    let live = observations[index].live
    observations[index].peak = max(observations[index].peak, live)
    if limits.contains(live), observations[index].firstEvent[live] == nil {
      observations[index].firstEvent[live] = event.sequence
    }
    lives[event.object] = LiveObject(
      id: ObjectID(className: name, number: older.map { Int($0) } ?? observations[index].allocated), classIndex: index)
  }

  private mutating func index(of name: String) -> Int? {
    if let known = indexByName[name] { return known < 0 ? nil : known }
    guard contracts.contains(where: { $0.concerns(name) }) else {
      indexByName[name] = -1
      return nil
    }
    indexByName[name] = observations.count
    observations.append(Observation(name: name))
    return observations.count - 1
  }

  /// An isolated deinit runs on its actor's thread, wherever the final release was.
  private mutating func end(at event: Event) {
    guard let object = dying.removeValue(forKey: event.object) else { return }
    let isMoved = event.thread != object.place.thread
    end(object.life, at: isMoved ? Place(event) : object.place, event: isMoved ? event.sequence : object.event)
  }

  private mutating func end(_ life: LiveObject, at place: Place, event: UInt64) {
    if let known = observations[life.classIndex].ends[place], known.event < event { return }
    observations[life.classIndex].ends[place] = (life.id, event)
  }

  /// Classes of one pattern of which a sentence tells.
  private static let breachLimit = 4

  private func result(_ contract: Contract) -> ContractResult {
    let concerned = observations.filter { contract.concerns($0.name) }.sorted { $0.name < $1.name }
    guard !concerned.isEmpty else {
      return ContractResult(absentFrom: contract)
    }
    if case .noLeak = contract.rule, lost == nil {
      return ContractResult(
        contract: contract, outcome: .unknown,
        sentence: "Reachability of the live objects was not examined.")
    }
    let breaches = concerned.compactMap { breach(contract.rule, $0) }
    if !breaches.isEmpty {
      let more = breaches.count - Self.breachLimit
      let rest = more > 0 ? ["\(more) more \(more == 1 ? "class breaks" : "classes break") it, too."] : []
      return ContractResult(
        contract: contract, outcome: .broken,
        sentence: (breaches.prefix(Self.breachLimit) + rest).joined(separator: " "))
    }
    return ContractResult(contract: contract, outcome: .kept, sentence: keptSentence(contract.rule, concerned))
  }

  private func breach(_ rule: Contract.Rule, _ seen: Observation) -> String? {
    switch rule {
    case .maxLive(let limit):
      guard seen.peak > limit else { return nil }
      let event = seen.firstEvent[limit &+ 1].map { ", first more than \(limit) at event \($0)" } ?? ""
      return "\(seen.name): \(seen.peak) live at once\(event)."
    case .freedOn(let thread):
      if let sentence = strayEnd(thread, seen) { return sentence }
      return seen.live > 0 ? "\(seen.name): \(seen.live) of \(seen.allocated) never freed." : nil
    case .neverFreedOff(let thread): return strayEnd(thread, seen)
    case .diesWithin, .holdersOnly: return nil
    case .goneAtExit:
      let leaked = leaked(seen.name).map { ", \($0.count) of them leaked" } ?? ""
      return seen.live > 0 ? "\(seen.name): \(seen.live) of \(seen.allocated) live at exit\(leaked)." : nil
    case .noLeak:
      guard let leaked = leaked(seen.name), let first = leaked.min(by: { $0.number < $1.number }) else { return nil }
      return "\(seen.name): \(leaked.count) of \(seen.allocated) leaked, the first is \(first)."
    }
  }

  /// The unreachable objects of a class; nil if there are none or the heap was not examined.
  private func leaked(_ className: String) -> [ObjectID]? { lost?[className] }

  private func strayEnd(_ thread: Contract.ThreadName, _ seen: Observation) -> String? {
    let strays = seen.ends.filter { place, _ in
      !thread.matches(name: name(place.thread), queue: trace.queueLabel(place.queue), isMain: isMain(place))
    }
    guard let first = strays.min(by: { $0.value.event < $1.value.event }) else { return nil }
    let (number, threadName) = (first.key.thread, name(first.key.thread))
    let isMainThread = trace.isMainThread(number)
    let queue = trace.isMainQueue(first.key.queue) ? nil : trace.queueLabel(first.key.queue)
    let notes = [isMainThread ? "" : threadName, queue.map { "queue \($0)" } ?? ""].filter { !$0.isEmpty }
    let other =
      (isMainThread ? "the main thread" : "thread \(number)")
      + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    return "\(first.value.id) was freed on \(other) at event \(first.value.event), not on \(thread.text)."
  }

  private func isMain(_ place: Place) -> Bool { trace.isMainThread(place.thread) || trace.isMainQueue(place.queue) }

  private func name(_ thread: UInt32) -> String { trace.tables.threads[Int(thread)]?.name ?? "" }

  private func keptSentence(_ rule: Contract.Rule, _ concerned: [Observation]) -> String {
    let allocated = concerned.reduce(0) { $0 + $1.allocated }
    switch rule {
    case .maxLive: return "At most \(concerned.map(\.peak).max() ?? 0) of \(allocated) were live at once."
    case .freedOn(let thread): return "All \(allocated) were freed on \(thread.text)."
    case .neverFreedOff(let thread): return "None of \(allocated) was freed off \(thread.text)."
    case .diesWithin, .holdersOnly: return ""
    case .goneAtExit: return "None of \(allocated) is live at exit."
    case .noLeak: return "None of \(allocated) leaked."
    }
  }
}
