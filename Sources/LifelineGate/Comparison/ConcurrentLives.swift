/// The objects of one class and site that threads share, compared as a whole.
///
/// Thread scheduling determines how many of them there are, who retains them how often and who releases last. Only the
/// rest is compared: whether any stay live, which functions of the program retain or release them at all, and roughly
/// how many there are. A change must affect one object in twenty.
struct ConcurrentLives {
  typealias Change = LifetimeComparison.Change

  private let old: [LifetimeSignature]
  private let new: [LifetimeSignature]
  private let libraryFunctions: Set<String>
  private let tolerance: Int
  private(set) var groups: [LifetimeComparison.Group] = []

  private static let fewest = 10, share = 20

  init(old: [LifetimeSignature], new: [LifetimeSignature], libraryFunctions: Set<String>, tolerance: Int) {
    (self.old, self.new) = (old, new)
    (self.libraryFunctions, self.tolerance) = (libraryFunctions, tolerance)
    if old.isEmpty || new.isEmpty {
      add(old.isEmpty ? .onlyNew : .onlyOld, old.isEmpty ? new : old, beside: [])
      return
    }
    let lived = old.filter(\.isLiveAtExit), live = new.filter(\.isLiveAtExit)
    if isMore(live.count, than: lived.count, of: new) { add(.becameImmortal, live, beside: old) }
    if isMore(lived.count, than: live.count, of: old) { add(.becameMortal, new, beside: lived, count: lived.count) }
    addCounts()
    addFunctions()
  }

  private mutating func addCounts() {
    let difference = new.count - old.count
    guard isBeyond(max(old.count, new.count), min(old.count, new.count)) else { return }
    if difference > 0 {
      add(.onlyNew, Array(new.suffix(difference)), beside: [])
    } else {
      add(.onlyOld, Array(old.suffix(-difference)), beside: [])
    }
  }

  /// Functions that retain or release objects in only one of the recordings.
  private mutating func addFunctions() {
    func used(_ lives: [LifetimeSignature]) -> Set<String> {
      var seen: Set<ObjectIdentifier> = []
      return lives.reduce(into: []) {
        guard seen.insert(ObjectIdentifier($1.shape)).inserted else { return }
        $0.formUnion($1.retains.keys)
        $0.formUnion($1.releases.keys)
      }
    }
    let before = used(old), after = used(new)
    for name in after.subtracting(before).subtracting(libraryFunctions).sorted() {
      addUses(name, new, beside: old, Change.retainAppeared, Change.releaseAppeared)
    }
    for name in before.subtracting(after).subtracting(libraryFunctions).sorted() {
      addUses(name, old, beside: new, Change.retainVanished, Change.releaseVanished)
    }
  }

  private mutating func addUses(
    _ name: String, _ lives: [LifetimeSignature], beside others: [LifetimeSignature],
    _ retain: (String, Int) -> Change, _ release: (String, Int) -> Change
  ) {
    let retains = lives.map { $0.retains[name] ?? 0 }, releases = lives.map { $0.releases[name] ?? 0 }
    if let each = each(retains) { add(retain(name, each), using(lives, retains), beside: others) }
    if let each = each(releases) { add(release(name, each), using(lives, releases), beside: others) }
  }

  /// The average over the affected objects; nil if they are fewer than one in twenty.
  private func each(_ counts: [Int]) -> Int? {
    let concerned = counts.count { $0 > 0 }
    return concerned > 0 && concerned * Self.share >= counts.count ? counts.reduce(0, +) / concerned : nil
  }

  private func using(_ lives: [LifetimeSignature], _ counts: [Int]) -> [LifetimeSignature] {
    zip(lives, counts).filter { $0.1 > 0 }.map { $0.0 }
  }

  /// From none to one in twenty, or else beyond the tolerance.
  private func isMore(_ count: Int, than before: Int, of lives: [LifetimeSignature]) -> Bool {
    before == 0 ? count > 0 && count * Self.share >= lives.count : isBeyond(count, before)
  }

  private func isBeyond(_ larger: Int, _ smaller: Int) -> Bool {
    larger >= smaller + Self.fewest && Double(larger) > Double(smaller) * (1 + Double(tolerance) / 100)
  }

  private mutating func add(
    _ change: Change, _ lives: [LifetimeSignature], beside others: [LifetimeSignature], count: Int? = nil
  ) {
    guard let first = lives.first else { return }
    groups.append(
      LifetimeComparison.Group(
        className: first.object.className, site: first.site, changes: [change], first: first,
        counterpart: others.first, count: count ?? lives.count))
  }
}
