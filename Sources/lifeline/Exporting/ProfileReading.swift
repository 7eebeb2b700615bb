import LifelineLifetimes
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// An opened and counted trace, with the names of its code.
struct ProfileReading {
  let trace: Trace
  let names: Names
  let profile: LifetimeProfile

  /// - Throws: `TraceError` if the trace cannot be read, and the errors of `lives`.
  init(
    _ trace: Trace, _ selection: EventSelection, files: SymbolFiles,
    lives: ((Trace) throws -> (ObjectSummary) throws -> Void)? = nil
  ) throws {
    self.trace = trace
    names = Names(trace, files: files)
    let progress = Progress()
    defer { progress.end() }
    profile = try ProfileReader(trace, selection, lives: lives.map { try $0(trace) }).read { progress.report($0) }
  }

  var calls: CallProfile { CallProfile(profile, names: names) }
  /// Sentences about damage; the rest was counted.
  var problems: [String] { trace.problems + profile.problems }
}
