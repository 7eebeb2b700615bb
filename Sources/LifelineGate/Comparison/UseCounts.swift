import LifelineTrace

/// How often each place retained and released one object. Most objects have few such places, a few have thousands.
struct UseCounts {
  struct Use: Hashable {
    let place: BacktraceID
    var retains = 0
    var releases = 0
  }

  private static let fewest = 16

  /// All of them, in order of their first use.
  private(set) var uses: [Use] = []
  /// Where the uses are that are no longer looked for one by one.
  private var indices: [BacktraceID: Int] = [:]

  mutating func add(_ change: Int, at place: BacktraceID) {
    let index = index(of: place)
    if change > 0 { uses[index].retains += change } else { uses[index].releases -= change }
  }

  mutating func removeAll() {
    uses.removeAll(keepingCapacity: true)
    if !indices.isEmpty { indices = [:] }
  }

  private mutating func index(of place: BacktraceID) -> Int {
    if uses.count <= Self.fewest {
      if let known = uses.firstIndex(where: { $0.place == place }) { return known }
    } else if let known = indices[place] {
      return known
    }
    uses.append(Use(place: place))
    if uses.count > Self.fewest {
      if indices.isEmpty {
        for (index, use) in uses.enumerated() { indices[use.place] = index }
      } else {
        indices[place] = uses.count - 1
      }
    }
    return uses.count - 1
  }
}
