import Glibc
import LifelineAnalysis
import LifelineLive
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// Follows one trace: new events become counts, findings and a remark on the state of the process.
final class LiveWatch {
  /// Number of chunks read at a time, 100 MB, so that keys are handled while a long trace is read.
  private static let chunksAtOnce = 400
  private static let oldestCount = 20

  let path: String
  let diagnosis: LiveDiagnosis
  private var tail: TraceTail
  private var counts = LiveCounts()
  private let names: LiveNames
  private var rates = LiveRates()
  private let process: WatchedProcess
  private var moment = TraceMoment(clock: 0, nanosecondsPerTick: 1)
  private var oldest: (time: UInt64, objects: [LiveObject]) = (0, [])
  private(set) var isRunning = true
  /// Whether everything committed has been counted.
  private(set) var isCurrent = false
  /// Whether the end is known, or will never be known.
  var endIsKnown: Bool { tail.recording.end != .unknown }
  /// Whether a part of the trace could not be read.
  var isDamaged: Bool { !tail.problems.isEmpty }

  /// - Throws: `TraceError` if the trace cannot be read.
  init(path: String, rules: HoldRules, files: @escaping @Sendable () -> SymbolFiles) throws {
    self.path = path
    tail = try TraceTail(path: path)
    process = WatchedProcess(process: tail.recording.process, startTime: tail.recording.startTime)
    diagnosis = LiveDiagnosis(rules: rules, files: files)
    names = LiveNames(files: files)
  }

  /// Reads new events.
  ///
  /// - Throws: `TraceError` if the file was truncated or replaced, or can no longer be read.
  func read() throws {
    if tail.name == .replaced {
      throw TraceError("The file \(path) was replaced while being watched; start 'lifeline live' again.")
    }
    // Checked before reading, because everything that an ended process wrote is available.
    let wasRunning = tail.recording.state != .ended && tail.recording.end == .unknown && process.isRunning
    let sample = tail.recording.sample
    try tail.look()
    if tail.recording.sample != sample {
      // Objects that are no longer recorded would count as live, so everything is read again without them.
      tail = try TraceTail(path: path)
      counts = LiveCounts()
      try tail.look()
    }
    isCurrent = try tail.read(chunks: Self.chunksAtOnce) { counts.take($0, stream: $1) }
    if isCurrent { counts.endRound() }
    isRunning = wasRunning && tail.recording.end == .unknown && tail.recording.state != .ended
    moment = tail.moment(isRunning: isRunning, last: counts.lastClock)
  }

  /// Searches for findings in the events read, in the background.
  func diagnose() {
    if isCurrent { diagnosis.start(path, events: counts.events, caught: counts.caughtCount) }
  }

  /// Searches for findings, and waits for the result.
  ///
  /// - Throws: `TraceError` if the trace cannot be read.
  func diagnoseNow() throws {
    try diagnosis.finish(path, events: counts.events, caught: counts.caughtCount)
  }

  var snapshot: LiveSnapshot {
    var snapshot = LiveSnapshot()
    let records = tail.tables.classes
    snapshot.program = tail.tables.programPath.safe
    snapshot.process = tail.recording.process
    snapshot.isRunning = isRunning
    snapshot.sample = tail.recording.sample
    snapshot.remark = remark
    snapshot.elapsed = tail.elapsed(at: moment)
    snapshot.events = counts.events
    snapshot.rows = counts.rows(records)
    rates.take(snapshot.rows, at: MonotonicClock.nanoseconds)
    snapshot.rates = rates
    if MonotonicClock.nanoseconds >= oldest.time + 1_000_000_000 || !isRunning {
      oldest = (MonotonicClock.nanoseconds, counts.oldest(Self.oldestCount, records))
    }
    snapshot.oldest = oldest.objects.map(named)
    let outcome = diagnosis.outcome
    let caught = counts.caught.dropFirst(outcome.covered).map { finding in
      let owner = finding.record.flatMap { records[$0]?.name } ?? ""
      let object = owner.isEmpty ? "0x" + String(finding.object, radix: 16) : "an object of \(owner)"
      return LiveSnapshot.Finding(
        kind: finding.name, className: owner, title: "\(finding.name) of \(object.safe): \(place(finding.site))")
    }
    snapshot.findings = outcome.findings + caught
    snapshot.findingCount = outcome.findings.count + max(0, counts.caughtCount - outcome.covered)
    return snapshot
  }

  func detail(of name: String) -> LiveDetail {
    let records = tail.tables.classes
    return LiveDetail(
      className: name,
      sites: counts.sites(of: name, records).prefix(50).map { .init(place: place($0.site), live: $0.live) },
      objects: counts.oldest(100, of: name, records).map(named))
  }

  private func place(_ site: BacktraceID) -> String { names.place(site, tail) }

  private func named(_ object: LiveObject) -> LiveSnapshot.Object {
    LiveSnapshot.Object(
      address: object.address, className: object.className, age: moment.age(of: object.clock), size: object.size,
      place: place(object.site))
  }

  /// How the process ended, or what is wrong with the recording; "" while neither applies.
  private var remark: String {
    if !isCurrent { return "Reading the recording so far: \(tail.waiting) parts of 256 KiB left." }
    var sentences: [String] = []
    if let stop = tail.recording.stopSentence { sentences.append("The recording stopped: \(stop).") }
    switch tail.recording.end {
    case .exit(let status): sentences.append("The process exited with status \(status).")
    case .signal(let number): sentences.append("The process was ended by \(SignalName.of(number)).")
    case .replaced: sentences.append("The process was replaced by another program (exec).")
    case .detached: sentences.append("The recording has ended; the process is still running.")
    case .unknown where !isRunning: sentences.append("The process has ended; how is unknown.")
    case .unknown: break
    }
    if tail.name == .removed { sentences.append("The file \(path.safe) was removed; watching continues.") }
    if counts.events > LiveDiagnosis.eventLimit {
      sentences.append(
        "Above \(LiveDiagnosis.eventLimit / 1_000_000) million events, only the recorder's own findings are listed.")
    }
    return (sentences + tail.problems.prefix(1)).joined(separator: " ")
  }
}
