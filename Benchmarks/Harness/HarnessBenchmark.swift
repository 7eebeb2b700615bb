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
    if arguments.count > 3, arguments[1] == "only", let pair = ReferencePair.all.first(where: { $0.name == arguments[2] }) {
      _ = time(arguments.count > 4 ? Int(arguments[4]) ?? 0 : 100_000_000, arguments[3] == "plain" ? pair.plain : pair.tracked)
      return
    }
    let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 9 : 9
    print("not recording       plain     tracked   ratio")
    report(rounds, count: 2_000_000)
    var options = Timeline.Options()
    options.output = FileManager.default.temporaryDirectory.appendingPathComponent("harness-benchmark.%p.lifeline").path
    options.isQuiet = true
    try Timeline.start(options)
    print("recording           plain     tracked   beyond plain")
    report(rounds, count: 200_000)
    if let path = Timeline.tracePath { try FileManager.default.removeItem(atPath: path) }
  }

  /// Rounds are interleaved, so that a machine that slows down slows both; each side's fastest round counts.
  private static func report(_ rounds: Int, count: Int) {
    for pair in ReferencePair.all {
      var (plain, tracked) = (Double.infinity, Double.infinity)
      for _ in 0..<rounds {
        plain = min(plain, time(count, pair.plain))
        tracked = min(tracked, time(count, pair.tracked))
      }
      let last = Timeline.isRecording ? String(format: "%6.1f ns", tracked - plain) : String(format: "%.2f", tracked / plain)
      print(pair.name.padding(toLength: 17, withPad: " ", startingAt: 0), String(format: "%8.2f ns %8.2f ns", plain, tracked), "  \(last)")
    }
  }

  private static func time(_ count: Int, _ loop: ReferencePair.Loop) -> Double {
    let owner = Owner(nodes[0])
    let time = ContinuousClock().measure { loop(owner, nodes, count) }
    return Double(time.components.attoseconds) / 1e9 / Double(count) + Double(time.components.seconds) * 1e9 / Double(count)
  }

  nonisolated(unsafe) private static let nodes = [Node(), Node()]
}
