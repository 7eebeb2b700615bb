import ArgumentParser

@main
struct Lifeline: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifeline",
    abstract: "Shows how every Swift object lived and died, and says why one died too late, too early or never.",
    version: "0.1.0",
    subcommands: [
      Record.self, MakeReport.self, History.self, Replay.self, Check.self, Diff.self, Compact.self, Run.self, Rules.self, Doctor.self,
    ])

  static func main() {
    // Before the parser, so that the self-test makes no objects but its own.
    if CommandLine.arguments.dropFirst() == [SelfTest.argument] { return SelfTest.run() }
    main(nil)
  }
}
