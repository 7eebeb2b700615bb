import LifelineTrace

/// The number of objects of each class in a whole run, estimated from a sample.
public struct SampleTotals: Sendable, Equatable {
  /// An estimate and its standard error.
  public struct Estimate: Sendable, Equatable {
    public let value: Int
    public let error: Int
  }

  public struct Class: Sendable, Equatable {
    public let allocated: Estimate
    public let liveAtExit: Estimate
  }

  /// By full name.
  public let classes: [String: Class]

  /// Reads the allocations of a trace again.
  ///
  /// Each address is in the sample with probability 1/N, with all objects that are there one after another. So the
  /// total is N times the sample's, and its variance N(N − 1) times the sum of the squares of each address's count
  /// (Horvitz and Thompson's estimator for independent draws).
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public init(_ trace: Trace, _ summary: LifetimeSummary) throws {
    struct Place: Hashable {
      let address: UInt64
      let classID: Int
    }
    var counts: [Place: Int] = [:]
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) {
      guard event.kind == .allocate else { continue }
      counts[
        Place(address: event.object, classID: Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)), default: 0] += 1
    }
    var squares: [String: Double] = [:]
    for (place, count) in counts {
      squares[trace.tables.classes[place.classID]?.name ?? "", default: 0] += Double(count) * Double(count)
    }
    let scale = trace.recording.sample
    classes = summary.tracker.classes.reduce(into: [:]) { classes, totals in
      classes[totals.name] = Class(
        allocated: Self.estimate(totals.allocated, squares: squares[totals.name] ?? 0, scale),
        // Each live object has its own address.
        liveAtExit: Self.estimate(totals.liveAtExit, squares: Double(totals.liveAtExit), scale))
    }
  }

  private static func estimate(_ count: Int, squares: Double, _ scale: Int) -> Estimate {
    let variance = Double(scale) * Double(scale - 1) * squares
    return Estimate(
      value: count.multipliedReportingOverflow(by: scale).partialValue, error: Int(variance.squareRoot().rounded()))
  }
}
