import LifelineLifetimes
import LifelineReporting

/// A line for each call stack, in the format of flame graph scripts: frames separated by ";", outermost first, then a
/// number.
///
/// Read by flamegraph.pl, inferno and speedscope. Stacks with the number zero are omitted.
public struct CollapsedFormat {
  private let metric: ProfileMetric
  private let startsWithClass: Bool

  /// With `startsWithClass` the outermost frame is the class.
  public init(metric: ProfileMetric, startsWithClass: Bool) {
    self.metric = metric
    self.startsWithClass = startsWithClass
  }

  /// - Throws: `Errno` if writing fails.
  public func write(_ profile: CallProfile, to sink: ByteSink) throws {
    let folded = profile.byFunction
    let names = folded.tree.frames.map { Self.name($0.function) }
    let classes = folded.classes.indices.map { Self.name(folded.className($0)) }
    var index = 0
    while index < folded.samples.count {
      let sample = folded.samples[index]
      var value = 0
      // Classes of one node are adjacent; without classes they share a line.
      repeat {
        value += folded.samples[index].cost[metric]
        index += 1
      } while !startsWithClass && index < folded.samples.count && folded.samples[index].node == sample.node
      guard value > 0 else { continue }
      var frames = folded.tree.path(sample.node).reversed().map { names[$0] }
      if startsWithClass { frames.insert(classes[sample.classIndex], at: 0) }
      try sink.write("\(frames.joined(separator: ";")) \(value)\n")
    }
    try sink.flush()
  }

  /// ";" separates frames, and a number after a space ends a line.
  private static func name(_ text: String) -> String {
    let name = ExportName.clean(text)
    return name.utf8.contains(UInt8(ascii: ";")) ? String(name.map { $0 == ";" ? "," : $0 }) : name
  }
}
