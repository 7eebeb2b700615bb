import LifelineLifetimes

/// How often one call retained and released a dead object.
struct AccessCounts {
  /// The number of the first event.
  let first: UInt64
  /// The first release that no retain of the same call goes before; nil if there is none, or the object was used.
  private(set) var excess: LifetimeTracker.Access?
  /// Whether the call did nothing else to the object.
  private(set) var isAll = true
  private var balance = 0

  init(_ access: LifetimeTracker.Access) {
    first = access.event.sequence
    add(access)
  }

  mutating func add(_ access: LifetimeTracker.Access) {
    switch (access.event.kind, Finding.Access(number: access.event.argument0)) {
    case (.overRelease, _), (.stray, _): break
    case (.useAfterFree, .retain): balance += 1
    case (.useAfterFree, .release):
      balance -= 1
      if balance < 0, excess == nil, isAll { excess = access }
    default:
      isAll = false
      excess = nil
    }
  }
}
