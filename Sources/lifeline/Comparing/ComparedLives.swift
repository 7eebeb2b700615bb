import LifelineAnalysis
import LifelineGate
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// The objects of a trace, read for a comparison with another's.
struct ComparedLives: Sendable {
  let lives: [LifetimeSignature]
  /// Library functions that retained or released.
  let libraryFunctions: Set<String>
  /// "was ended by SIGSEGV"; nil if it ended in another way.
  let signal: String?

  /// Reads those of the classes that a pattern matches; all without a pattern.
  ///
  /// An incomplete trace is rejected, because missing events would look like a difference, or hide one.
  ///
  /// - Throws: `TraceError` if the trace cannot be read or compared.
  init(reading path: String, files: SymbolFiles, only patterns: [NamePattern]) throws {
    let trace = try Trace(opening: path)
    let names = Names(trace, files: files)
    let functions = FunctionNames(names)
    var reader = LifetimeSignatureReader(
      trace, allocator: functions.allocator, tellsCaller: functions.tellsCaller, caller: names.caller)
    var lives = try reader.read()
    if let obstacle = RecordingCompleteness(trace, events: reader.events, problems: reader.problems).sentence {
      for problem in trace.problems + reader.problems { Console.log("\(path): \(problem)") }
      throw TraceError("\(path) cannot be compared. \(obstacle)")
    }
    if !patterns.isEmpty {
      lives.removeAll { life in
        !patterns.contains { $0.matches(life.object.className) || $0.matches(life.object.shortClassName) }
      }
    }
    // A program that has been rebuilt has other functions at the trace's addresses.
    if let problem = names.problems.first { throw TraceError("\(path) cannot be compared. \(problem)") }
    self.lives = lives
    signal = if case .signal(let number) = trace.recording.end { "was ended by \(SignalName.of(number))" } else { nil }
    libraryFunctions = reader.libraryFunctions
  }
}
