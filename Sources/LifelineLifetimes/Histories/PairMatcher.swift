/// Applies the rules of `Pairing` to the references of one object.
struct PairMatcher {
  private struct Call: Hashable {
    let key: UInt64
    let thread: UInt32
  }

  /// Numbers of references that are searched: of open retains, of contexts destroyed, of one call's open retains, of
  /// paths around a retain, and of calls that may have received one.
  static let reach = 256
  private static let endLimit = 16, ownLimit = 16, tailCallDepth = 2, resultDepth = 2

  private(set) var pairs: [Pairing.Pair] = []
  /// Nil once paired.
  var retains: [Reference?] = []
  /// Rows of `retains`, paired ones included.
  private var rows: [Int] = []
  var releases: [Reference] = []
  private var callEnds = CallEnds()
  /// Open retains by the call that made them.
  private var byCall: [Call: [Int]] = [:]
  /// The nearest open retains, by the paths of the sites around them.
  private var byPath: [Call: [Int]] = [:]
  /// Open retains by the calls around them that may have received the reference, such as a getter's.
  private var byReceiver: [Call: [Int]] = [:]
  /// Releases of stored references, with the open retains of the same call: what it took and did not store is released
  /// later.
  var stored: [(release: Reference, own: [Int])] = []
  /// Releases by closures' contexts that no earlier event explains.
  private var ends: [Reference] = []
  /// Rows of releases that may have balanced a retain that another one was paired with.
  var doubtful: Set<Int> = []
  /// References from before the kept events; nil if there are none.
  private(set) var older: Int?

  /// The object was released more often than it was retained.
  let hasExcess: Bool
  var excess: [Reference] = []
  private(set) var propertyStores: [PropertyStore] = []
  /// Whether `Unmanaged` took a reference.
  private(set) var isCountedByHand = false
  var openReleases: [Int] = []
  var olderReleases: [Int] = []

  init(hasExcess: Bool) { self.hasExcess = hasExcess }

  var openRetains: [Int] { retains.compactMap { $0?.row } }

  /// Forgets the retains: which of them are left is unknown, but their number is known, unless it is negative.
  mutating func forget(references: Int64) {
    older = references < 0 ? .max : Int(clamping: references)
    retains = []
    rows = []
    byCall = [:]
    byPath = [:]
    byReceiver = [:]
  }

  mutating func retain(_ reference: Reference) {
    callEnds.see(reference)
    byCall[Call(key: reference.place.key, thread: reference.thread), default: []].append(retains.count)
    for path in reference.place.enclosingPaths.prefix(Self.tailCallDepth) {
      byPath[Call(key: path, thread: reference.thread), default: []].append(retains.count)
    }
    for key in reference.isAllocation ? [] : reference.receivers.prefix(Self.resultDepth) {
      byReceiver[Call(key: key, thread: reference.thread), default: []].append(retains.count)
    }
    retains.append(reference)
    rows.append(reference.row)
    if reference.place.isUnmanaged { isCountedByHand = true }
  }

  /// The first rule depends only on earlier events, so it is applied immediately, and so is the second if a caller
  /// passed an owned argument, as callers of initializers and setters do: the reference no longer belongs to the
  /// caller. It may be the result of another call that the initializer's caller made.
  mutating func release(_ reference: Reference) {
    callEnds.see(reference)
    let isOver = { [callEnds] in callEnds.hasEnded(callOf: $0, before: reference) }
    // A release at the end of a function is a tail call, so it appears at the place where that function was called.
    let path = reference.place.path
    let tail = Self.newest(&byPath, Call(key: path, thread: reference.thread), retains) {
      $0.place.enclosingPaths.first == path && isOver($0)
    }
    if let index = tail {
      pair(index, reference, .sure)
      return
    }
    let call = Call(key: reference.place.key, thread: reference.thread)
    if reference.place.mayBeStored {
      let own = byCall[call, default: []].suffix(Self.ownLimit).filter { retains[$0].map { !isOver($0) } ?? false }
      stored.append((reference, own))
      return
    }
    if let index = Self.newest(&byCall, call, retains, isOver) {
      let rivals = rivals(of: reference, for: retains[index]!, call)
      doubtful.formUnion(rivals)
      pair(index, reference, rivals.isEmpty ? .sure : .likely, isDoubtful: !rivals.isEmpty)
      return
    }
    // What a setter took from its property was not passed to it.
    let hasArgument = reference.place.ownsArguments && reference.property?.offset == nil
    for key in hasArgument ? reference.place.enclosing.prefix(reference.place.argumentDepth) : [] {
      let caller = Call(key: key, thread: reference.thread)
      var index = Self.newest(&byCall, caller, retains, isOver)
      if let own = index, isPromoted(retains[own]!, reference) || isStoredAlready(reference, by: own, caller) {
        byCall[caller, default: []].append(own)
        index = nil
      }
      if index == nil, reference.place.isInitializer {
        index = Self.newest(&byReceiver, caller, retains) { _ in false }
      }
      if let index {
        pair(index, reference, .likely)
        return
      }
    }
    releases.append(reference)
    if reference.place.role == .captureEnd { ends.append(reference) }
  }

  /// Whether a setter's caller had got the object from a getter of the same type before it took a reference of its own:
  /// then that is not what the setter replaced.
  private func isStoredAlready(_ release: Reference, by own: Int, _ caller: Call) -> Bool {
    guard !release.place.isInitializer, let typeName = release.place.typeName else { return false }
    return byReceiver[caller, default: []].suffix(Self.reach).contains { index in
      index < own && retains[index]?.place.typeName == typeName
    }
  }

  /// Whether a setter would release what its caller took through a weak reference: more likely the caller keeps that
  /// while the setter replaces what the property had from the beginning.
  func isPromoted(_ retain: Reference, _ release: Reference) -> Bool {
    retain.isWeakLoad && release.place.ownsArguments && !release.place.isInitializer
  }

  /// The contexts destroyed since a call took a reference, and inside it, unless it took one for each of them as well:
  /// they may have been created there.
  private func rivals(of release: Reference, for retain: Reference, _ call: Call) -> [Int] {
    let inside = ends.suffix(Self.endLimit).filter {
      $0.row > retain.row && $0.thread == release.thread && $0.place.enclosing.contains(call.key)
    }
    if inside.isEmpty { return [] }
    let others = byCall[call, default: []].suffix(Self.reach).count { retains[$0] != nil }
    return others < inside.count ? inside.map(\.row) : []
  }

  /// The newest retain in a list that is still open and whose call may still run. A retain is in several lists, so some
  /// are already paired.
  private static func newest(
    _ lists: inout [Call: [Int]], _ call: Call, _ retains: [Reference?], _ isOver: (Reference) -> Bool
  ) -> Int? {
    guard let place = lists.index(forKey: call) else { return nil }
    while let index = lists.values[place].popLast() {
      if let retain = retains[index], !isOver(retain) { return index }
    }
    return nil
  }

  mutating func apply(_ rule: (inout PairMatcher, Reference) -> Int?) {
    var rest: [Reference] = []
    for release in releases {
      if let index = rule(&self, release) { pair(index, release, .likely) } else { rest.append(release) }
    }
    releases = rest
    compact()
  }

  mutating func compact() {
    retains = retains.filter { $0 != nil }
    rows = retains.compactMap { $0?.row }
  }

  mutating func pair(
    _ index: Int, _ release: Reference, _ confidence: Pairing.Confidence, isDoubtful: Bool = false
  ) {
    let retain = retains[index]!
    var pair = Pairing.Pair(
      retain: retain.row, release: release.row, confidence: confidence,
      isDoubtful: isDoubtful || doubtful.contains(release.row))
    pair.isOneOfSeveral = retain.isOneOfSeveral
    pairs.append(pair)
    retains[index] = nil
    if confidence == .sure, let store = PropertyStore(retain, release) { propertyStores.append(store) }
  }

  func newest(_ release: Reference, _ isWanted: (Reference) -> Bool) -> Int? {
    let end = firstRetain(after: release.row)
    for index in (max(0, end - Self.reach)..<end).reversed() {
      if let retain = retains[index], !Self.isElsewhere(retain, release), isWanted(retain) { return index }
    }
    return nil
  }

  /// Whether a reference is in another property than the released one was.
  private static func isElsewhere(_ retain: Reference, _ release: Reference) -> Bool {
    guard let property = release.property else { return false }
    return retain.property?.isOther(than: property) == true
  }

  /// Paired retains keep their position until the rule is done, so rows are looked up separately.
  func firstRetain(after row: Int) -> Int {
    var low = 0
    var high = retains.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func only(_ release: Reference, _ isWanted: (Reference) -> Bool) -> Int? {
    var found: Int?
    for index in retains.indices.prefix(Self.reach) {
      guard let retain = retains[index], retain.row < release.row, isWanted(retain) else { continue }
      if found != nil { return nil }
      found = index
    }
    return found
  }
}
