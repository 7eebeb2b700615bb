/// The visits of threads to a site, by the object they came for.
struct SiteVisits {
  /// An object's own visits; the last one is nearest to its end.
  private struct Own {
    let last: UInt32, first: UInt32, middle: UInt32
  }

  /// The number of visits that a plan tries, and the number of objects remembered.
  private static let limit = 6, most = 1024
  private var objects: [Own] = []
  private(set) var first = UInt32.max

  /// Adds the visits for one object, in order.
  mutating func add(_ visits: [UInt32]) {
    guard let first = visits.first, let last = visits.last else { return }
    self.first = min(self.first, first)
    objects.append(Own(last: last, first: first, middle: visits[visits.count / 2]))
    guard objects.count == Self.most else { return }
    objects.sort { $0.last < $1.last }
    objects = stride(from: 0, to: objects.count, by: 2).map { objects[$0] }
  }

  /// The last visit for each object, or for a spread of them if there are many; then the first and the middle ones.
  var choices: [UInt32] {
    let sorted = objects.sorted { ($0.last, $0.first, $0.middle) > ($1.last, $1.first, $1.middle) }
    let count = min(sorted.count, Self.limit)
    let spread = (0..<count).map { sorted[count == 1 ? 0 : $0 * (sorted.count - 1) / (count - 1)] }
    var choices: [UInt32] = []
    for visit in spread.map(\.last) + spread.map(\.first) + spread.map(\.middle) where !choices.contains(visit) {
      choices.append(visit)
    }
    return Array(choices.prefix(Self.limit))
  }
}
