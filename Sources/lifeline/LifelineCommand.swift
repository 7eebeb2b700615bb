import ArgumentParser
import Glibc
import LifelineRecording
import LifelineTrace

@main
struct LifelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifeline",
    abstract: "Records how Swift objects live and die, and says why one died too late, too early or never.",
    version: LifelineVersion.text,
    subcommands: [
      RecordCommand.self, ReportCommand.self, ObjectsCommand.self, HistoryCommand.self, ReplayCommand.self,
      CheckCommand.self, ExploreCommand.self,
      DiffCommand.self, GrowthCommand.self, LeaksCommand.self, WhyCommand.self, ProfileCommand.self, ExportCommand.self,
      LiveCommand.self, AttachCommand.self, DetachCommand.self,
      CompactCommand.self, RunCommand.self, RulesCommand.self, DoctorCommand.self,
    ])

  static func main() {
    // Before the parser, so that the self-test creates only its own objects.
    if CommandLine.arguments.dropFirst() == [SelfTest.argument] { return SelfTest.run() }
    var limit = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0
    // Diagnosis needs more than the first thread may have under a low limit (`ulimit -s 256`).
    if isKnown, limit.rlim_cur < 8 << 20 {
      try? Background { run() }.value
    } else {
      run()
    }
  }

  private static func run() {
    _ = WriteSignals.ignored
    refuseUnknownVerb()
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      if Console.hasFailed, error is ExitCode { Glibc.exit(ExitStatus.toolFailure.rawValue) }
      exit(withError: error)
    }
    if Console.hasFailed { Glibc.exit(ExitStatus.toolFailure.rawValue) }
  }

  /// The parser would report a misspelled command as an unexpected argument.
  private static func refuseUnknownVerb() {
    guard let verb = CommandLine.arguments.dropFirst().first, !verb.hasPrefix("-") else { return }
    let verbs = configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]
    guard !verbs.contains(verb) else { return }
    Console.log(
      "there is no command '\(verb)'.\(Suggestion(for: verb, among: verbs).sentence) 'lifeline --help' lists them.")
    Glibc.exit(ExitCode.validationFailure.rawValue)
  }
}
