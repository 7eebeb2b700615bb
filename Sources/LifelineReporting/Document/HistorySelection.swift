import LifelineLifetimes

/// Which events of an object's history are shown; by default all.
public struct HistorySelection: Sendable {
  private let last: Int?
  private let unbalanced: Bool
  private let around: UInt64?

  /// Events of the object on either side of the one in the middle.
  static let margin = 10

  /// All given criteria must hold; `last` applies after the others.
  public init(last: Int? = nil, unbalanced: Bool = false, around: UInt64? = nil) {
    self.last = last
    self.unbalanced = unbalanced
    self.around = around
  }

  /// Indices of rows, ascending.
  func rows(of history: ObjectHistory, _ pairing: Pairing) -> [Int] {
    var rows = Array(history.rows.indices)
    if let around {
      let middle = history.rows.firstIndex { $0.event.sequence >= around } ?? history.rows.count
      rows = rows.filter { $0 >= middle - Self.margin && $0 <= middle + Self.margin }
    }
    if unbalanced {
      let wanted = Set(pairing.unpairedRetains + pairing.unpairedReleases)
      rows = rows.filter(wanted.contains)
    }
    return last.map { Array(rows.suffix($0)) } ?? rows
  }
}
