import Foundation
import Lifeline

/// What a tracked reference costs beside the language's own, in one run: first not recording, then recording.
///
/// usage: harness-benchmark [ROUNDS]
///        harness-benchmark only NAME plain|tracked [COUNT]   (one loop, for perf stat)
@main
struct HarnessBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count > 3, arguments[1] == "only",
      let pair = ReferencePair.all.first(where: { $0.name == arguments[2] })
    {
      _ = time(
        arguments.count > 4 ? Int(arguments[4]) ?? 0 : 100_000_000, arguments[3] == "plain" ? pair.plain : pair.tracked)
      return
    }
    let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 9 : 9
    print("not recording         plain     tracked   ratio")
    for pair in ReferencePair.all {
      let (plain, tracked) = measure(pair, rounds, count: 2_000_000)
      print(name(pair), String(format: "%8.2f ns %8.2f ns %7.2f", plain, tracked, tracked / plain))
    }
    var options = Timeline.Options()
    options.output = FileManager.default.temporaryDirectory.appendingPathComponent("harness-benchmark.%p.lifeline").path
    options.isQuiet = true
    try Timeline.start(options)
    defer { if let path = Timeline.tracePath { unlink(path) } }
    let events = try EventCount.perOperation(nodes)
    print("recording             plain (events)     tracked (events)   an event: plain   tracked")
    for pair in ReferencePair.all {
      let (plain, tracked) = measure(pair, rounds, count: 200_000)
      let count = events[pair.name]!
      print(
        name(pair),
        String(
          format: "%8.2f ns (%.0f) %12.2f ns (%.0f) %17@ %6.1f ns", plain, count.plain, tracked, count.tracked,
          count.plain > 0 ? String(format: "%.1f ns", plain / count.plain) : "none", tracked / count.tracked))
    }
  }

  private static func name(_ pair: ReferencePair) -> String {
    pair.name.padding(toLength: 16, withPad: " ", startingAt: 0)
  }

  /// Nanoseconds. Rounds are interleaved, so that a machine that slows down slows both; each side's fastest round
  /// counts.
  private static func measure(_ pair: ReferencePair, _ rounds: Int, count: Int) -> (plain: Double, tracked: Double) {
    var (plain, tracked) = (Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      plain = min(plain, time(count, pair.plain))
      tracked = min(tracked, time(count, pair.tracked))
    }
    return (plain, tracked)
  }

  private static func time(_ count: Int, _ loop: ReferencePair.Loop) -> Double {
    let owner = Owner(nodes[0])
    let time = ContinuousClock().measure { loop(owner, nodes, count) }
    return Double(time.components.attoseconds) / 1e9 / Double(count) + Double(time.components.seconds) * 1e9
      / Double(count)
  }

  nonisolated(unsafe) private static let nodes = [Node(), Node()]
}
