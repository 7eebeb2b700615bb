import Foundation
import Lifeline

/// What a tracked reference costs beside the language's own, in one run: first not recording, then recording.
///
/// usage: harness-benchmark [ROUNDS]
@main
struct HarnessBenchmark {
  static func main() throws {
    let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 9 : 9
    print("not recording       plain     tracked   ratio")
    report(rounds, count: 2_000_000)
    var options = Timeline.Options()
    options.output = FileManager.default.temporaryDirectory.appendingPathComponent("harness-benchmark.%p.lifeline").path
    options.isQuiet = true
    try Timeline.start(options)
    print("recording           plain     tracked   beyond plain")
    report(min(rounds, 3), count: 200_000)
    if let path = Timeline.tracePath { try FileManager.default.removeItem(atPath: path) }
  }

  /// Rounds are interleaved, so that a machine that slows down slows both; the medians of times and ratios are shown.
  private static func report(_ rounds: Int, count: Int) {
    for (name, plain, tracked) in pairs {
      var times: [(plain: Double, tracked: Double)] = []
      for _ in 0..<rounds { times.append((time(count, plain), time(count, tracked))) }
      let (a, b) = (median(times.map(\.plain)), median(times.map(\.tracked)))
      let last = Timeline.isRecording ? String(format: "%.1f ns", b - a) : String(format: "%.2f", median(times.map { $0.tracked / $0.plain }))
      print(name.padding(toLength: 17, withPad: " ", startingAt: 0), String(format: "%8.2f ns %8.2f ns", a, b), "  \(last)")
    }
  }

  private static func time(_ count: Int, _ body: (any Owning, Node, Int) -> Void) -> Double {
    let (owner, node) = (opaque(Owner(node)), node)
    let time = ContinuousClock().measure { body(owner, node, count) }
    return Double(time.components.attoseconds) / 1e9 / Double(count) + Double(time.components.seconds) * 1e9 / Double(count)
  }

  nonisolated(unsafe) private static let node = Node()
  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  nonisolated(unsafe) private static let pairs: [(String, (any Owning, Node, Int) -> Void, (any Owning, Node, Int) -> Void)] = [
    ("strong set", { for _ in 0..<$2 { $0.set(strong: $1) } }, { for _ in 0..<$2 { $0.set(trackedStrong: $1) } }),
    ("strong load", { owner, _, n in for _ in 0..<n { use(owner.getStrong()) } }, { owner, _, n in for _ in 0..<n { use(owner.getTrackedStrong()) } }),
    ("weak set", { for _ in 0..<$2 { $0.set(weakly: $1) } }, { for _ in 0..<$2 { $0.set(trackedWeak: $1) } }),
    ("weak load", { owner, _, n in for _ in 0..<n { use(owner.getWeak()) } }, { owner, _, n in for _ in 0..<n { use(owner.getTrackedWeak()) } }),
    ("unowned set", { for _ in 0..<$2 { $0.set(unownedly: $1) } }, { for _ in 0..<$2 { $0.set(trackedUnowned: $1) } }),
    ("unowned load", { owner, _, n in for _ in 0..<n { use(owner.getUnowned()) } }, { owner, _, n in for _ in 0..<n { use(owner.getTrackedUnowned()) } }),
    ("unsafe set", { for _ in 0..<$2 { $0.set(unsafely: $1) } }, { for _ in 0..<$2 { $0.set(trackedUnsafe: $1) } }),
    ("unsafe load", { owner, _, n in for _ in 0..<n { use(owner.getUnsafe()) } }, { owner, _, n in for _ in 0..<n { use(owner.getTrackedUnsafe()) } }),
  ]
}

/// Not even the type of the owner is known to the loops.
@inline(never) @_optimize(none) private func opaque(_ owner: any Owning) -> any Owning { owner }

final class Node { var value = 0 }

@inline(never) private func use(_ node: Node?) { node?.value &+= 1 }

/// Every access is a call of which nothing is known, as it is from another module of a program.
protocol Owning {
  func set(strong node: Node?)
  func set(trackedStrong node: Node?)
  func getStrong() -> Node?
  func getTrackedStrong() -> Node?
  func set(weakly node: Node?)
  func set(trackedWeak node: Node?)
  func getWeak() -> Node?
  func getTrackedWeak() -> Node?
  func set(unownedly node: Node)
  func set(trackedUnowned node: Node)
  func getUnowned() -> Node
  func getTrackedUnowned() -> Node
  func set(unsafely node: Node)
  func set(trackedUnsafe node: Node)
  func getUnsafe() -> Node
  func getTrackedUnsafe() -> Node
}

final class Owner: Owning {
  var strong: Node?
  weak var weakly: Node?
  unowned var unownedly: Node
  unowned(unsafe) var unsafely: Node
  @TrackedStrong var trackedStrong: Node? = nil
  @TrackedWeak var trackedWeak: Node?
  @TrackedUnowned var trackedUnowned: Node
  @TrackedUnownedUnsafe var trackedUnsafe: Node

  init(_ node: Node) {
    strong = node
    weakly = node
    unownedly = node
    unsafely = node
    _trackedUnowned = TrackedUnowned(node)
    _trackedUnsafe = TrackedUnownedUnsafe(node)
    trackedStrong = node
    trackedWeak = node
  }

  func set(strong node: Node?) { strong = node }
  func set(trackedStrong node: Node?) { trackedStrong = node }
  func getStrong() -> Node? { strong }
  func getTrackedStrong() -> Node? { trackedStrong }
  func set(weakly node: Node?) { weakly = node }
  func set(trackedWeak node: Node?) { trackedWeak = node }
  func getWeak() -> Node? { weakly }
  func getTrackedWeak() -> Node? { trackedWeak }
  func set(unownedly node: Node) { unownedly = node }
  func set(trackedUnowned node: Node) { trackedUnowned = node }
  func getUnowned() -> Node { unownedly }
  func getTrackedUnowned() -> Node { trackedUnowned }
  func set(unsafely node: Node) { unsafely = node }
  func set(trackedUnsafe node: Node) { trackedUnsafe = node }
  func getUnsafe() -> Node { unsafely }
  func getTrackedUnsafe() -> Node { trackedUnsafe }
}
