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

  /// `denominator` is N of a sample of 1/N.
  ///
  /// Each object is in the sample with probability 1/N, independent of the others. So a total is N times the sample's,
  /// and its variance N(N − 1) times the sample's (Horvitz and Thompson's estimator). If none is in the sample, there
  /// may be some all the same: the error is that of one.
  public init(_ classes: [ClassTotals], denominator: Int) {
    self.classes = classes.reduce(into: [:]) {
      $0[$1.name] = Class(
        allocated: Self.estimate($1.allocated, denominator), liveAtExit: Self.estimate($1.liveAtExit, denominator))
    }
  }

  private static func estimate(_ count: Int, _ scale: Int) -> Estimate {
    let variance = Double(scale) * Double(scale - 1) * Double(max(count, 1))
    return Estimate(
      value: count.multipliedReportingOverflow(by: scale).partialValue, error: Int(variance.squareRoot().rounded()))
  }
}
