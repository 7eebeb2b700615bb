import LifelineRecording
import LifelineReporting
import LifelineTrace

/// Runs a program at depth lives and, if there is something to explain, again at full depth for the classes that
/// matter.
struct TwoStepCheck {
  let subject: CheckSubject
  let options: RecordingOptions
  let gate: RunGate
  let examination: Examination

  /// - Throws: `RecordingError` if the first run was not started, `TraceError` if a trace cannot be read.
  func run() throws -> CheckedRun {
    let input = StandardInput()
    let began = MonotonicClock.seconds
    let recorded = try subject.record(firstOptions)
    let repetition = Repetition(after: MonotonicClock.seconds - began)
    defer { recorded.remove() }
    guard !recorded.traces.isEmpty else { return CheckedRun(examined: nil, end: recorded.end, reason: recorded.reason) }
    UnmatchedPatterns(firstOptions, traces: recorded.traces).sentences.forEach(Console.log)
    let first = try examination.examine(recorded, isFirstRun: true)
    let judged = gate.judge(first).report
    let found = TextFormat.count(judged.findings)
    func step(_ sentence: String) -> Report.Step {
      Report.Step(depth: "lives", program: judged.program, findings: judged.findings.count, sentence: sentence)
    }
    func once(_ sentence: String, isSettled: Bool = false) -> CheckedRun {
      let steps = [step("One run, at depth lives: \(sentence)")]
      return CheckedRun(examined: first.saying(steps, isSettled: isSettled), end: recorded.end, reason: nil)
    }
    guard let explanation = Explanation(of: first, judged: judged, contracts: examination.contracts, end: recorded.end)
    else {
      return once("there was nothing to explain.", isSettled: true)
    }
    let reasons = explanation.reasons.joined(separator: "; ")
    if let obstacle = recorded.interruption != nil ? "it was terminated" : input.obstacle {
      let sentence =
        "it was not run again to explain \(reasons), because \(obstacle). Use --depth full to explain in one run."
      log(sentence)
      return once(sentence)
    }
    log("the first run, at depth lives, has something to explain: \(reasons)")
    log("running the program again, at full depth \(explanation.scope); its output is not shown")
    input.rewind()
    let opening = step("Run 1, at depth lives: \(found.isEmpty ? "no finding" : found). To explain: \(reasons).")
    var examined: ExaminedRun?
    var reason = "No trace was written."
    do {
      examined = try secondRun(explanation, repetition, after: recorded, first, opening)
    } catch let error as RecordingError {
      reason = error.description
    } catch let error as TraceError {
      reason = error.description
    }
    return CheckedRun(
      examined: examined ?? first.saying([opening], remarks: [failure(reason)]), end: recorded.end, reason: nil)
  }

  private var firstOptions: RecordingOptions {
    var options = options
    options.depth = .lives
    return options
  }

  /// Both runs together; nil if the second wrote no trace, and then the first one's traces have their names again.
  private func secondRun(
    _ explanation: Explanation, _ repetition: Repetition, after recorded: CheckSubject.Recorded, _ first: ExaminedRun,
    _ opening: Report.Step
  ) throws -> ExaminedRun? {
    var options = options
    options.depth = .full
    options.retains = explanation.classes ?? []
    options.repetition = repetition
    var traces = FirstTraces(recorded.isKept ? recorded.all : [])
    traces.moveAside()
    let again: CheckSubject.Recorded
    let began = MonotonicClock.seconds
    do {
      again = try subject.record(options)
    } catch {
      traces.moveBack()
      throw error
    }
    let seconds = Int(MonotonicClock.seconds - began)
    defer { again.remove() }
    guard !again.traces.isEmpty else {
      traces.moveBack()
      return nil
    }
    let second = try examination.examine(again)
    let differences = differences(first.report, second.report, again.interruption, seconds: seconds)
    var sentence = "Run 2, at full depth \(explanation.scope): "
    var remarks: [String] = []
    if differences.isEmpty {
      sentence += first.report.findings.isEmpty ? "\(Self.described(second.report.findings))." : same(first, second)
      traces.remove()
    } else {
      let difference = "it did not show the same: \(differences.joined(separator: "; "))."
      sentence += difference
      let kept =
        traces.paths.isEmpty ? "" : " The first run's trace is kept as \(traces.paths.joined(separator: ", "))."
      let numbers =
        again.interruption == nil || second.report.processes != nil || first.report.processes != nil
        ? "" : " The numbers of events and objects are the first run's."
      remarks = ["The second run explains only a part: \(difference)\(numbers)\(kept)"]
      log("the second run: \(difference)\(kept)")
    }
    let closing = Report.Step(
      depth: "full", classes: explanation.classes, program: second.report.program,
      findings: second.report.findings.count, sentence: sentence)
    return ExaminedRun(first, explainedBy: second, isWhole: again.interruption == nil).saying(
      [opening, closing], remarks: remarks)
  }

  private static func described(_ findings: [Report.Finding]) -> String {
    findings.isEmpty ? "no finding" : TextFormat.count(findings)
  }

  private static let renumberedLimit = 3

  /// "it showed the same, and 1 warning. Its Worker#2 is Worker#1 of run 1."
  private func same(_ first: ExaminedRun, _ second: ExaminedRun) -> String {
    let more = first.report.missing(from: second.report)
    let names = second.report.renumbered(from: first.report)
    let shown = names.prefix(Self.renumberedLimit).map { "\($0.here) is \($0.first) of run 1" }
    let rest = names.count > shown.count ? ", and so on" : ""
    return "it showed the same\(more.isEmpty ? "" : ", and \(Self.described(more))")."
      + (names.isEmpty ? "" : " Its \(shown.joined(separator: ", "))\(rest).")
  }

  /// The differences between the second run and the first.
  private func differences(
    _ first: Report, _ second: Report, _ interruption: Recorder.Interruption?, seconds: Int
  ) -> [String] {
    var result = second.missing(from: first).map { "no \($0.kind) of \($0.object.id)" }
    switch interruption {
    case .told: result.append("it was terminated")
    case .limit: result.append("it was stopped after \(seconds) s, because it was waiting or did not end")
    case nil: break
    }
    return result + second.otherEndings(than: first)
  }

  private func failure(_ reason: String) -> String {
    let sentence = "The second run, which was to explain the first, could not be recorded: \(reason)"
    log(sentence)
    return sentence
  }

  private func log(_ sentence: String) {
    if !options.quiet { Console.log(sentence) }
  }
}
