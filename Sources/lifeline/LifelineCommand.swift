import ArgumentParser
import LifelineTrace

@main
struct LifelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifeline",
    abstract: "Shows how every Swift object lived and died, and says why one died too late, too early or never.",
    version: LifelineVersion.text,
    subcommands: [
      RecordCommand.self, ReportCommand.self, HistoryCommand.self, ReplayCommand.self, CheckCommand.self, DiffCommand.self, GrowthCommand.self, CompactCommand.self, RunCommand.self, RulesCommand.self, DoctorCommand.self,
      LeaksCommand.self, WhyCommand.self,
    ])

  static func main() {
    // Before the parser, so that the self-test makes no objects but its own.
    if CommandLine.arguments.dropFirst() == [SelfTest.argument] { return SelfTest.run() }
    main(nil)
  }
}
