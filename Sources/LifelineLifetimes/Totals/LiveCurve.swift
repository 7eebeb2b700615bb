/// Live objects of each class at equal steps of a recording's duration.
struct LiveCurve {
  /// Number of values in a curve.
  static let steps = 64

  private let start: UInt64
  private let step: UInt64
  /// The clock at which the next value is due; never, if the duration is unknown.
  private(set) var next: UInt64
  private var values: [[Int32]] = []

  init(_ span: Range<UInt64>) {
    start = span.lowerBound
    step = (span.upperBound - span.lowerBound) / UInt64(Self.steps)
    next = step == 0 ? .max : start &+ step
  }

  /// Takes the values due before an event at `clock`; `live` returns the current ones.
  mutating func take(upTo clock: UInt64, live: () -> [Int32]) {
    guard step > 0 else { return }
    let now = live()
    while next <= clock, values.count < Self.steps {
      values.append(now)
      next = values.count == Self.steps || next > .max - step ? .max : next + step
    }
  }

  /// The curve of a class, continued with its last value; empty if no value was due.
  func values(ofClass index: Int, last: Int) -> [Int] {
    guard step > 0 else { return [] }
    return values.map { index < $0.count ? Int($0[index]) : 0 }
      + Array(repeating: last, count: Self.steps - values.count)
  }
}
