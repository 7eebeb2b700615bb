import ArgumentParser
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

struct History: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Prints one object's life, event by event.")

  @Argument(help: "The trace.")
  var trace: String

  @Argument(help: "The object: Class#number, or an address.")
  var object: String

  @Flag(help: "Show the backtrace of every event.")
  var backtraces = false

  @Flag(help: "No colours, even on a terminal.")
  var noColor = false

  func run() throws {
    do {
      let trace = try Trace(path: trace)
      let summary = try LifetimeSummary(trace)
      let ids = try ObjectQuery(object).resolve(in: trace, summary)
      var reader = HistoryReader(trace)
      let histories = try reader.histories(of: Set(ids))
      let format = HistoryFormat(trace, isColored: Console.isColored(disabled: noColor), showsBacktraces: backtraces)
      Console.answer(histories.map { format.render($0, reader.backtraces) }.joined(separator: "\n"))
      for problem in trace.problems + summary.problems { Console.say(problem) }
    } catch let error as TraceError {
      Console.say(error.description)
      throw ExitStatus.toolFailure
    }
  }
}
