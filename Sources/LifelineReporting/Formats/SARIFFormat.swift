import Foundation
import LifelineTrace

/// Renders a report as SARIF 2.1.0, for GitHub code scanning and editors.
///
/// One run; a rule for each kind of finding, a result for each finding, the story of its object as a code flow with
/// one thread flow for each thread. Reasons for a missing verdict are notifications of a run that was not successful.
public struct SARIFFormat {
  private let root: SourceRoot
  static let fingerprintName = "lifelineFinding/v1"

  public init(root: SourceRoot = SourceRoot()) { self.root = root }

  public func render(_ report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(log(report)), as: UTF8.self) + "\n"
  }

  private func log(_ report: Report) -> SARIFLog {
    let kinds = Set(report.findings.map(\.kind)).sorted()
    let rules = kinds.map { kind in
      let text = FindingKindText(kind.shown)
      let level = report.findings.first { $0.kind == kind }.map { Self.level($0.severity) } ?? "warning"
      return SARIFLog.Rule(
        id: kind.shown, name: text.name, shortDescription: message(text.summary), help: message(text.help),
        defaultConfiguration: SARIFLog.Configuration(level: level))
    }
    return SARIFLog(runs: [
      SARIFLog.Run(
        tool: SARIFLog.Tool(driver: SARIFLog.Driver(semanticVersion: LifelineVersion.text, rules: rules)),
        invocations: [invocation(report)],
        results: report.findings.map { result($0, report, ruleIndex: kinds.firstIndex(of: $0.kind) ?? 0) })
    ])
  }

  private func invocation(_ report: Report) -> SARIFLog.Invocation {
    var notifications: [SARIFLog.Notification] = []
    if report.verdict == "none" {
      let reason = report.noVerdictReason ?? "The tool could not see enough."
      notifications.append(SARIFLog.Notification(level: "error", message: message("No verdict: \(reason)")))
    }
    if report.verdict == "clean", let end = report.failedEnd {
      notifications.append(SARIFLog.Notification(level: "error", message: message("Nothing was found, but \(end).")))
    }
    notifications += report.recording.remarks.map { SARIFLog.Notification(level: "note", message: message($0)) }
    for contract in report.gate?.contracts ?? [] where contract.result != "kept" {
      notifications.append(
        SARIFLog.Notification(
          level: "error", message: message("Contract \(contract.text) is \(contract.result): \(contract.sentence)")))
    }
    return SARIFLog.Invocation(
      executionSuccessful: report.verdict != "none", exitCode: report.program.exitStatus,
      exitSignalNumber: report.program.signal, processId: report.program.isRecorded ? report.program.processID : nil,
      executableLocation: artifact(report.program.path), arguments: report.program.arguments.dropFirst().map(\.shown),
      toolExecutionNotifications: notifications)
  }

  private func result(_ finding: Report.Finding, _ report: Report, ruleIndex: Int) -> SARIFLog.Result {
    let chain = FindingSteps(finding, timelines: report.timelines)
    let sentences =
      ["\(finding.title)."] + finding.explanation + report.whereabouts(finding)
      + (finding.suggestion.map { ["To change: \($0)"] } ?? [])
    let responsible = finding.primaryFrame ?? finding.backtraces.lazy.compactMap(\.responsible).first
    let baseline: String? =
      report.gate?.hasBaseline == true ? (finding.isKnown ? "unchanged" : "new") : nil
    return SARIFLog.Result(
      ruleId: finding.kind.shown, ruleIndex: ruleIndex, level: Self.level(finding.severity),
      message: message(sentences.joined(separator: " ")), locations: responsible.map { [location($0)] } ?? [],
      relatedLocations: finding.backtraces.enumerated().compactMap { index, backtrace in
        backtrace.locatedFrame.map { location($0, id: index + 1, text: backtrace.role) }
      },
      codeFlows: codeFlows(chain), stacks: finding.backtraces.map(stack),
      partialFingerprints: [Self.fingerprintName: finding.fingerprint.shown], baselineState: baseline,
      suppressions: finding.isSuppressed ? [SARIFLog.Suppression(justification: finding.outcome?.reason?.shown)] : [],
      properties: ["object": finding.object.id.shown, "class": finding.object.class.shown])
  }

  private func codeFlows(_ chain: FindingSteps) -> [SARIFLog.CodeFlow] {
    guard !chain.steps.isEmpty else { return [] }
    var order: [String] = []
    var flows: [String: [SARIFLog.ThreadFlowLocation]] = [:]
    for step in chain.steps {
      if flows[step.thread] == nil { order.append(step.thread) }
      flows[step.thread, default: []].append(
        SARIFLog.ThreadFlowLocation(
          location: location(
            function: step.function, file: step.file, line: step.line, column: step.column, id: nil,
            text: "\(step.number). \(step.text)\(step.event == 0 ? "" : " (event \(step.event))")"),
          executionOrder: step.number, kinds: Self.kinds(step.what),
          importance: Self.essential.contains(step.what) ? "essential" : "important"))
    }
    let omitted = chain.omitted > 0 ? "; \(Quantity.count(chain.omitted, "event")) in between are left out" : ""
    return [
      SARIFLog.CodeFlow(
        message: message("\(chain.subject) in \(Quantity.count(chain.steps.count, "step"))\(omitted)."),
        threadFlows: order.map { SARIFLog.ThreadFlow(id: $0.shown, locations: flows[$0] ?? []) })
    ]
  }

  private static let essential: Set<String> = ["access", "final-release", "allocation", "last-owner-release", "cut"]

  /// Categories of the standard (3.38.8) for the steps that have one.
  private static func kinds(_ what: String) -> [String] {
    switch what {
    case "allocation", "allocate", "retain", "hold", "retainN", "tryRetain", "weakLoad": ["acquire", "memory"]
    case "final-release", "release", "last-owner-release", "releaseN", "deallocation", "deallocate", "free":
      ["release", "memory"]
    case "access", "useAfterFree", "overRelease", "unownedAfterDeinit", "resurrection": ["danger", "memory"]
    default: ["memory"]
    }
  }

  private func stack(_ backtrace: Report.Backtrace) -> SARIFLog.Stack {
    let extent = backtrace.extent == "complete" ? "" : " (\(backtrace.extent))"
    return SARIFLog.Stack(
      message: message("\(backtrace.role.shown(atMost: 100)), event \(backtrace.event), \(backtrace.place)\(extent)"),
      frames: backtrace.frames.map { SARIFLog.StackFrame(location: location($0), module: $0.image.shown) })
  }

  private func location(_ frame: Report.Frame, id: Int? = nil, text: String? = nil) -> SARIFLog.Location {
    location(function: frame.function, file: frame.file, line: frame.line, column: frame.column, id: id, text: text)
  }

  private func location(
    function: String, file: String?, line: Int?, column: Int?, id: Int?, text: String?
  ) -> SARIFLog.Location {
    let region = line.flatMap { line in
      line > 0 ? SARIFLog.Region(startLine: line, startColumn: column.flatMap { $0 > 0 ? $0 : nil }) : nil
    }
    return SARIFLog.Location(
      id: id, message: text.map(message),
      physicalLocation: file.flatMap(artifact).map { SARIFLog.PhysicalLocation(artifactLocation: $0, region: region) },
      logicalLocations: [SARIFLog.LogicalLocation(fullyQualifiedName: function.shown)])
  }

  /// Relative to the source folder if it is inside; GitHub resolves the standard's %SRCROOT%. Nil for a path longer
  /// than Linux's PATH_MAX, which cannot be a file.
  private func artifact(_ file: String) -> SARIFLog.ArtifactLocation? {
    guard file.utf8.count < 4096 else { return nil }
    if let relative = root.relative(file) {
      return SARIFLog.ArtifactLocation(uri: relative.percentEncodedPath, uriBaseId: "%SRCROOT%")
    }
    return SARIFLog.ArtifactLocation(
      uri: (file.hasPrefix("/") ? "file://" : "") + file.percentEncodedPath, uriBaseId: nil)
  }

  private func message(_ text: String) -> SARIFLog.Message { SARIFLog.Message(text: text.shown) }

  private static func level(_ severity: String) -> String {
    ["error", "warning", "note"].contains(severity) ? severity : "warning"
  }
}
