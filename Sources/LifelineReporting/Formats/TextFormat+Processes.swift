extension TextFormat {
  private static let processLimit = 10

  /// How each process ended and what was found in it; if there are many, those with findings come first.
  func processes(_ report: Report) -> [String] {
    guard let processes = report.processes else { return [line(report.program, report.recording.duration)] }
    let shown = processes.indices.sorted { (processes[$1].findings, $0) < (processes[$0].findings, $1) }.prefix(
      Self.processLimit
    ).sorted()
    var lines = shown.map { index in
      let findings = TextFormat.count(report.findings.filter { $0.process == index })
      return line(processes[index].program, processes[index].duration) + (findings.isEmpty ? "" : ": \(findings)")
    }
    let rest = processes.count - shown.count
    if rest > 0 { lines.append("and \(Quantity.number(rest)) more processes; --format json lists all") }
    return lines
  }

  private func line(_ program: Report.Program, _ duration: UInt64) -> String {
    let name = ProgramName(program.path).text
    let isLate = program.isRecordedLate == true && program.isDetached != true
    let time = "\(isLate ? ", recorded for" : " after") \(Quantity.duration(duration))"
    return
      "\(style.bold(name.safe)) (process \(program.processID)) \(program.ending)\(program.limit == nil ? time : "")"
  }
}
