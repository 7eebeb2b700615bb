/// How fast the counts grow, over the last second or a little more.
public struct LiveRates: Sendable, Equatable {
  /// Per second.
  public struct Rate: Sendable, Equatable {
    public var allocations = 0.0
    public var deinits = 0.0
    public var retains = 0.0

    public static func + (a: Self, b: Self) -> Self {
      Rate(allocations: a.allocations + b.allocations, deinits: a.deinits + b.deinits, retains: a.retains + b.retains)
    }
  }

  static let span: UInt64 = 1_000_000_000

  private var since: (time: UInt64, rows: [String: LiveRow])?
  private var rates: [String: Rate] = [:]
  public private(set) var total = Rate()

  /// Whether there were two readings, at least `span` apart.
  public private(set) var isKnown = false

  public init() {}

  /// Takes the counts at a moment, in nanoseconds of any clock; rates change once per `span`.
  public mutating func take(_ rows: [LiveRow], at time: UInt64) {
    let current = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    guard let before = since else { return since = (time, current) }
    guard time >= before.time + Self.span else { return }
    isKnown = true
    let seconds = Double(time - before.time) / 1e9
    rates = [:]
    total = Rate()
    for row in rows {
      let old = before.rows[row.name] ?? LiveRow(name: row.name)
      let rate = Rate(
        allocations: Double(max(0, row.allocated - old.allocated)) / seconds,
        deinits: Double(max(0, row.ended - old.ended)) / seconds,
        retains: Double(max(0, row.retains - old.retains)) / seconds)
      rates[row.name] = rate
      total = total + rate
    }
    since = (time, current)
  }

  public subscript(name: String) -> Rate { rates[name] ?? Rate() }

  public static func == (a: Self, b: Self) -> Bool { a.rates == b.rates && a.total == b.total }
}
