import ArgumentParser
import Glibc
import LifelineCompaction
import LifelineTrace

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Compresses a trace to between a third and a hundredth of its size.",
    discussion: """
      No byte of the trace is lost: --expand restores it, and every other command reads a compact trace like the \
      trace itself. Damaged or truncated parts stay that way. Exits with 0, or 2 when there is no such trace or no \
      space for the file.
      """)

  @Argument(help: "The trace.")
  var trace: String

  @Option(
    name: .shortAndLong,
    help: "File for the result (default: TRACE.compact.lifeline next to the trace; TRACE.lifeline with --expand).")
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  @Flag(help: "Restore the trace from its compact form.")
  var expand = false

  @Option(help: "zstd compression level, 1 to 19: higher is smaller and slower.")
  var level = CompactTraceWriter.defaultLevel

  func validate() throws {
    if !(1...19).contains(level) { throw ValidationError("--level takes a number from 1 to 19.") }
  }

  func run() throws {
    let progress = Progress()
    try Failure.told {
      defer { progress.end() }
      let file = try TraceFile(path: trace)
      // What is wrong with the trace is said before what is wrong with the name of the result.
      let expander = expand ? try TraceExpander(file) : nil
      let writer = expand ? nil : try CompactTraceWriter(file, level: level)
      let path = output ?? Self.defaultOutput(trace, expands: expand)
      try OutputPlace.examine(path, besides: [trace])
      let target = OutputFile(path: path, replaces: force, isTrace: true)
      let show = { (bytes: Int64) in progress.report("\(bytes * 100 / max(file.size, 1)) % read") }
      if let expander {
        try target.write { try expander.write(to: $0, progress: show) }
        progress.end()
        Console.log("restored the trace of \(trace) to \(path)")
      } else if let writer {
        let problems = try Trace(file).problems
        let outcome = try target.write { try writer.write(to: $0, progress: show) }
        progress.end()
        for problem in problems { Console.log("\(problem) The compact form has the same damage.") }
        Console.log("\(Self.text(outcome, of: trace)) in \(path)")
      }
    }
  }

  private static func text(_ outcome: CompactTraceWriter.Outcome, of trace: String) -> String {
    // A trace has holes, so its size on the disk is what compacting saves.
    var status = stat()
    let before = stat(trace, &status) == 0 ? min(outcome.sizeBefore, Int64(status.st_blocks) * 512) : outcome.sizeBefore
    let hundredths = outcome.events == 0 ? 0 : Int((Double(outcome.sizeAfter) * 100 / Double(outcome.events)).rounded())
    let rate =
      outcome.events == 0
      ? "" : ", \(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) bytes per event,"
    func kilobytes(_ bytes: Int64) -> String { "\((bytes + 500) / 1000) kB" }
    return "\(outcome.events) events: \(kilobytes(before)) became \(kilobytes(outcome.sizeAfter))\(rate)"
  }

  private static func defaultOutput(_ trace: String, expands: Bool) -> String {
    let stem =
      [".compact.lifeline", ".lifeline"].first(where: trace.hasSuffix).map { String(trace.dropLast($0.count)) } ?? trace
    return expands ? stem + ".lifeline" : stem + ".compact.lifeline"
  }
}
