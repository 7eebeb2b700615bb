import ArgumentParser
import LifelineAnalysis
import LifelineCompaction
import LifelineGate
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the object lifetimes of two traces.",
    discussion: """
      Objects are aligned by class, the function that allocated them, and their number among those. Exits 0 when \
      their lives are as before, 1 when they are not, 2 when a trace cannot be read or could not show everything.
      """)

  @Argument(help: "The older trace.")
  var old: String

  @Argument(help: "The newer trace.")
  var new: String

  @Option(help: "Percentage by which a lifetime may grow, in events of its thread.")
  var tolerance = 50

  @Flag(help: "No colours, even on a terminal.")
  var noColor = false

  func validate() throws {
    if !(0...1_000_000).contains(tolerance) { throw ValidationError("--tolerance takes a number from 0 to 1000000.") }
  }

  func run() throws {
    do {
      let comparison = try LifetimeComparison(old: lives(old), new: lives(new), tolerance: tolerance)
      Console.print(DiffText(isColored: Console.isColored(disabled: noColor)).render(comparison))
      if comparison.isDifferent { throw ExitStatus.findings }
    } catch let error as TraceError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    }
  }

  /// A trace that could not show everything is refused: what it lacks would look like a difference, or hide one.
  private func lives(_ path: String) throws -> [LifetimeSignature] {
    let trace = try Trace(opening: path)
    if let obstacle = try RecordingCompleteness(trace, LifetimeSummary(trace)).sentence {
      throw TraceError("\(path) cannot be compared. \(obstacle)")
    }
    let names = Names(trace)
    var reader = LifetimeSignatureReader(trace, allocator: names.allocator, caller: names.caller)
    let lives = try reader.lives()
    // A program that was built anew since has other functions at the trace's addresses.
    if let problem = names.problems.first { throw TraceError("\(path) cannot be compared. \(problem)") }
    return lives
  }
}
