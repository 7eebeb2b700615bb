import ArgumentParser
import LifelineRecording
import LifelineReporting
import LifelineTrace

/// Prints the unreachable objects.
struct LeaksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaks",
    abstract: "Lists leaks: objects that nothing reaches, and what keeps them.",
    usage: "lifeline leaks TRACE\nlifeline leaks PID\nlifeline leaks [options] -- PROGRAM [ARGUMENT ...]",
    discussion: """
      A program is examined when it ends, a running process immediately; it is paused briefly. Exits with 0 when there \
      are none, 1 with leaks, 2 when it failed, 3 when the memory could not be examined, 127 when the program could \
      not be started.
      """)

  @OptionGroup var file: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments

  @OptionGroup var start: StartArguments
  @OptionGroup var symbols: SymbolArguments

  @Argument(help: "A trace, the ID of a running process, or a program and its arguments after --.")
  var subject: [String]

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if subject.isEmpty { throw ValidationError("Give a trace, a process, or a program after --.") }
  }

  /// A program follows `--`.
  private var isProgram: Bool { CommandLine.arguments.dropFirst(2).contains("--") }

  func run() throws {
    // Not in `validate`, for which the value of an unknown option is a subject, too.
    if !isProgram, subject.count > 1 {
      throw ValidationError("Give one trace or process, or put -- before a program and its arguments.")
    }
    if !isProgram, let sentence = recording.unused(file) { Console.log(sentence) }
    try Failure.told {
      if !isProgram { try CheckSubject.refuseProgram(subject, verb: "leaks") }
      try isProgram ? examineProgram() : examine([subject[0]])
    }
  }

  private func examineProgram() throws {
    var options = recording.options(checking: false, file)
    let folder = options.output == nil ? try ScratchFolder() : nil
    if let folder { options.output = "\(folder.path)/%e.%p.lifeline" }
    defer { folder?.remove() }
    let result = try Recorder(options: options).record(
      subject[0], arguments: ProgramArguments(lastOfOurs: subject.count))
    let traces = result.subjects
    guard !traces.isEmpty else {
      Console.log("Reachability was not examined: \(result.reason ?? "no trace was written.")")
      throw ExitStatus.noVerdict
    }
    try examine(traces)
  }

  /// The next command, for the information that a trace has besides the graph.
  private func nextCommand(_ trace: String) -> String {
    let words = isProgram && file.output == nil ? ["check", "--"] + subject : ["report", trace]
    return "for the lines and what to change: \(ShellText(["lifeline"] + words).text)"
  }

  /// Leaks outrank what could not be examined.
  private func examine(_ subjects: [String]) throws {
    var hasLeaks = false, isBlind = false
    for name in subjects {
      let subject = try HeapSubject(name, files: symbols.files)
      if subjects.count > 1, let trace = subject.trace {
        let program = ProgramName(trace.tables.programPath).text.safe
        Console.printWrapped("\(name == subjects[0] ? "" : "\n")\(program) (process \(trace.recording.process)): ")
      }
      if let refusal = subject.refusal {
        subject.trace?.problems.forEach(Console.log)
        Console.log(refusal)
        isBlind = true
        continue
      }
      let text = try LostGroupText(subject)
      if let trace = subject.trace {
        trace.problems.forEach(Console.log)
        if trace.recording.isFiltered, trace.tables.classes.isEmpty {
          Console.log("No object of the chosen classes was seen; check --only and --ignore.")
          isBlind = true
          continue
        }
      }
      Console.printWrapped(text.text)
      if text.excluded > 0 { Console.log(ExcludedLeaks(count: text.excluded).sentence) }
      for note in subject.snapshot.notes { Console.log(note) }
      hasLeaks = hasLeaks || !text.isEmpty
      if !text.isEmpty, subject.trace != nil { Console.log(nextCommand(name)) }
    }
    if hasLeaks { throw ExitStatus.findings }
    if isBlind { throw ExitStatus.noVerdict }
  }
}
