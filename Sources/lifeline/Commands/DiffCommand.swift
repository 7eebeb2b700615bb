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
      Objects are matched by class and allocating function; objects of one thread individually, objects shared by \
      threads as a group. The most important differences come first. Exits with 0 without differences, 1 with some, 2 \
      when a trace is unreadable or incomplete.
      """)

  @Argument(help: "The older trace.")
  var old: String

  @Argument(help: "The newer trace.")
  var new: String

  @OptionGroup var symbols: SymbolArguments

  @Option(
    help: "Percentage by which a lifetime, in events of its thread, or the number of shared objects may grow.")
  var tolerance = 50

  @Option(help: "Compare only these classes ('*' matches; repeatable).")
  var only: [String] = []

  @Flag(help: "No colors, even on a terminal.")
  var noColor = false

  func validate() throws {
    if !(0...1_000_000).contains(tolerance) { throw ValidationError("--tolerance takes a number from 0 to 1000000.") }
  }

  func run() throws {
    try Failure.told {
      let progress = Progress()
      defer { progress.end() }
      progress.report("reading \(old) and \(new)")
      let patterns = only.map { NamePattern($0) }, files = symbols.source()
      // Both are read in parallel if there are two cores.
      let reading = Background { try ComparedLives(reading: old, files: files(), only: patterns) }
      let meanwhile = Result { try ComparedLives(reading: new, files: files(), only: patterns) }
      let before = try reading.value
      let after = try meanwhile.get()
      progress.end()
      if !only.isEmpty, before.lives.isEmpty, after.lives.isEmpty {
        throw TraceError("No class in the traces matches \(only.map { "'\($0)'" }.joined(separator: " or ")).")
      }
      for (path, run) in [(old, before), (new, after)] where before.signal != after.signal {
        guard let signal = run.signal else { continue }
        Console.log(
          "the program of \(path) \(signal), so what is live at its end may only be what it had yet to release")
      }
      var former = KindsOfLives(before.lives)
      let latter = KindsOfLives(after.lives)
      if let match = ModuleMatch(old: former, new: latter) {
        Console.log("the module '\(match.old)' of \(old) is compared with '\(match.new)' of \(new)")
        former = KindsOfLives(match.renamed(before.lives))
      }
      let comparison = LifetimeComparison(
        old: former, new: latter, libraryFunctions: before.libraryFunctions.union(after.libraryFunctions),
        tolerance: tolerance)
      Console.printWrapped(DiffText(isColored: Console.isColored(disabled: noColor)).render(comparison))
      if comparison.isDifferent { throw ExitStatus.findings }
    }
  }
}
