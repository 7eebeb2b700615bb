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
      Objects are told apart by class and the function that allocated them; those of one thread one by one, those that \
      threads share as a whole. What matters most comes first. Exits 0 when their lives are as before, 1 when they are \
      not, 2 when a trace cannot be read or could not show everything.
      """)

  @Argument(help: "The older trace.")
  var old: String

  @Argument(help: "The newer trace.")
  var new: String

  @OptionGroup var symbols: SymbolArguments

  @Option(
    help: "Percentage by which a lifetime may grow, in events of its thread; of shared objects, their number.")
  var tolerance = 50

  @Option(help: "Compare these classes only ('*' matches; repeatable).")
  var only: [String] = []

  @Flag(help: "No colours, even on a terminal.")
  var noColor = false

  func validate() throws {
    if !(0...1_000_000).contains(tolerance) { throw ValidationError("--tolerance takes a number from 0 to 1000000.") }
  }

  func run() throws {
    do {
      var libraryFunctions: Set<String> = []
      let progress = Progress()
      defer { progress.end() }
      progress.report("reading \(old)")
      let before = try lives(old, &libraryFunctions)
      progress.report("reading \(new)")
      let after = try lives(new, &libraryFunctions)
      progress.end()
      if !only.isEmpty, before.isEmpty, after.isEmpty {
        throw TraceError("No class of the traces matches \(only.map { "'\($0)'" }.joined(separator: " or ")).")
      }
      var former = KindsOfLives(before)
      let latter = KindsOfLives(after)
      if let match = ModuleMatch(old: former, new: latter) {
        Console.log("the module '\(match.old)' of \(old) is compared with '\(match.new)' of \(new)")
        former = KindsOfLives(match.renamed(before))
      }
      let comparison = LifetimeComparison(
        old: former, new: latter, libraryFunctions: libraryFunctions, tolerance: tolerance)
      Console.printWrapped(DiffText(isColored: Console.isColored(disabled: noColor)).render(comparison))
      if comparison.isDifferent { throw ExitStatus.findings }
    } catch let error as TraceError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    }
  }

  /// A trace that could not show everything is refused: what it lacks would look like a difference, or hide one.
  private func lives(_ path: String, _ libraryFunctions: inout Set<String>) throws -> [LifetimeSignature] {
    let trace = try Trace(opening: path)
    let names = Names(trace, files: symbols.files)
    var reader = LifetimeSignatureReader(trace, allocator: names.allocator, caller: names.caller)
    let patterns = only.map { NamePattern($0) }
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
    libraryFunctions.formUnion(reader.libraryFunctions)
    // A program that was built anew since has other functions at the trace's addresses.
    if let problem = names.problems.first { throw TraceError("\(path) cannot be compared. \(problem)") }
    return lives
  }
}
