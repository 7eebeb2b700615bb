/// How often each function retained and released one object. Most objects have few such functions, a few have hundreds.
struct UseCounts {
  struct Use: Hashable {
    /// The function's number, assigned by the reader.
    let function: Int
    var retains = 0
    var releases = 0
  }

  private static let fewest = 16

  /// All uses, in order of their first event.
  private(set) var uses: [Use] = []
  /// Indices of the uses that are no longer searched one by one.
  private var indices: [Int: Int] = [:]

  mutating func add(_ change: Int, by function: Int) {
    let index = index(of: function)
    if change > 0 { uses[index].retains += change } else { uses[index].releases -= change }
  }

  mutating func removeAll() {
    uses.removeAll(keepingCapacity: true)
    if !indices.isEmpty { indices = [:] }
  }

  private mutating func index(of function: Int) -> Int {
    if uses.count <= Self.fewest {
      if let known = uses.firstIndex(where: { $0.function == function }) { return known }
    } else if let known = indices[function] {
      return known
    }
    uses.append(Use(function: function))
    if uses.count > Self.fewest {
      if indices.isEmpty {
        for (index, use) in uses.enumerated() { indices[use.function] = index }
      } else {
        indices[function] = uses.count - 1
      }
    }
    return uses.count - 1
  }
}
