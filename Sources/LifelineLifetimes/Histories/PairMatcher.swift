/// Applies the rules of `Pairing` to the references of one object.
struct PairMatcher {
  private struct Call: Hashable {
    let key: UInt64
    let thread: UInt32
  }

  private static let reach = 256

  private(set) var pairs: [Pairing.Pair] = []
  /// Nil once paired.
  private var retains: [Reference?] = []
  /// Rows of `retains`, paired ones included.
  private var rows: [Int] = []
  private var releases: [Reference] = []
  private var callEnds = CallEnds()
  /// Open retains by the call that made them.
  private var byCall: [Call: [Int]] = [:]

  /// The object was released more often than it was retained.
  let hasExcess: Bool
  private var excess: [Reference] = []
  private var propertyStores: [PropertyStore] = []
  /// Whether `Unmanaged` took a reference.
  private var isCountedByHand = false

  init(hasExcess: Bool) { self.hasExcess = hasExcess }

  var openRetains: [Int] { retains.compactMap { $0?.row } }
  private(set) var openReleases: [Int] = []
  private(set) var olderReleases: [Int] = []
  /// References from before the kept events; nil if there are none.
  private var older: Int?

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

  /// The nearest open retains, by the paths of the sites around them.
  private var byPath: [Call: [Int]] = [:]
  private static let tailCallDepth = 2
  /// Open retains by the calls around them that may have received the reference, such as a getter's.
  private var byReceiver: [Call: [Int]] = [:]
  private static let resultDepth = 2

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
      let own = byCall[call, default: []].suffix(Self.endLimit).filter { retains[$0].map { !isOver($0) } ?? false }
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
  private func isPromoted(_ retain: Reference, _ release: Reference) -> Bool {
    retain.isWeakLoad && release.place.ownsArguments && !release.place.isInitializer
  }

  /// Releases of stored references, with the open retains of the same call: what it took and did not store is released
  /// later.
  private var stored: [(release: Reference, own: [Int])] = []

  private mutating func pairStored() {
    for (release, own) in stored {
      if let index = own.last(where: { retains[$0] != nil }) {
        pair(index, release, .sure)
      } else {
        releases.append(release)
      }
    }
    releases.sort { $0.row < $1.row }
  }

  /// Releases by closures' contexts that no earlier event explains.
  private var ends: [Reference] = []
  private static let endLimit = 16
  /// Rows of releases that may have balanced a retain that another one was paired with.
  private var doubtful: Set<Int> = []

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

  mutating func pairTheRest() {
    pairStored()
    compact()
    pairByProperty()
    // A block or a framework releases what it took itself.
    apply { matcher, release in
      switch release.place.role {
      case .captureEnd: matcher.newest(release) { $0.place.role == .capture }
      case .kept: matcher.newest(release) { $0.place.role == .kept }
      case .plain, .capture: nil
      }
    }
    pairByHand()
    apply { matcher, release in
      let around = Set(release.place.lenders)
      func isReturned(_ retain: Reference) -> Bool { retain.receivers.contains(release.place.key) }
      func isOpen(_ retain: Reference) -> Bool {
        retain.isPlain && retain.thread == release.thread && !matcher.isPromoted(retain, release)
      }
      let found = matcher.newest(release) { isOpen($0) && (around.contains($0.place.key) || isReturned($0)) }
      // What the program's own getter returned is the program's rather than what a library took meanwhile.
      guard let place = found.flatMap({ matcher.retains[$0]?.place }), place.image != release.place.image,
        !around.contains(place.key)
      else { return found }
      let own = matcher.newest(release) {
        isOpen($0) && isReturned($0) && !$0.isAllocation && $0.place.image == release.place.image
      }
      return own ?? found
    }
    apply { matcher, release in
      matcher.newest(release) {
        $0.isPlain && $0.place.function == release.place.function && $0.thread == release.thread
      } ?? matcher.newest(release) { $0.isPlain && $0.place.function == release.place.function }
    }
    // A method releases what another one of its type stored, not what a library took that one of them called.
    apply { matcher, release in
      guard release.place.role == .plain, let typeName = release.place.typeName else { return nil }
      func isStored(_ retain: Reference) -> Bool {
        retain.place.role == .plain && !retain.isAllocation && retain.place.typeName == typeName
          && retain.receivers.isEmpty && retain.place.image == release.place.image
      }
      guard let found = matcher.newest(release, isStored) else { return nil }
      let taker = matcher.retains[found]?.place
      let isUnsure = matcher.newest(release) { isStored($0) && $0.place.function != taker?.function } != nil
      // An initializer kept it for its object; another one of that class may have been given the first reference.
      if taker?.isInitializer == true, matcher.newest(release, { $0.isAllocation && $0.property == nil }) != nil {
        matcher.retains[found]?.isOneOfSeveral = true
      }
      if isUnsure { matcher.doubtful.insert(release.row) }
      return found
    }
    apply { matcher, release in
      guard release.place.role == .captureEnd else { return nil }
      return matcher.newest(release) {
        $0.place.role == .plain && !$0.isAllocation && !$0.place.ownsArguments && $0.receivers.isEmpty
      }
    }
    apply { matcher, release in
      matcher.newest(release) {
        $0.isPlain && $0.thread == release.thread && $0.place.enclosing.contains(release.place.key)
      }
    }
    if let older {
      let count = min(older, releases.count)
      olderReleases = releases.prefix(count).map(\.row)
      openReleases = releases.dropFirst(count).map(\.row)
      return
    }
    apply { matcher, release in
      guard release.place.role == .captureEnd else { return nil }
      return matcher.newest(release) { !$0.isAllocation }
    }
    pairTheOnlyOnes()
    // The last release by plain code of the program balances the first reference.
    apply { matcher, release in
      guard release.place.role == .plain, release.place.image != 0 else { return nil }
      let found = matcher.newest(release) { $0.isAllocation && $0.place.image == release.place.image }
      let isUnknown = found.map { matcher.retains[$0]?.property == nil } ?? false
      if isUnknown, release.property == nil, matcher.newest(release, { !$0.isAllocation && $0.isPlain }) != nil {
        matcher.doubtful.insert(release.row)
      }
      return found
    }
    pairTheOnlyOnes()
    pairEqualOnes()
    openReleases = (releases + excess).map(\.row).sorted()
  }

  /// `Unmanaged` releases what it took. Releases beyond that are an excess, if some release was one.
  private mutating func pairByHand() {
    apply { matcher, release in
      release.place.isUnmanaged ? matcher.newest(release) { $0.place.isUnmanaged } : nil
    }
    guard hasExcess, isCountedByHand else { return }
    excess = releases.filter(\.place.isUnmanaged)
    releases.removeAll(where: \.place.isUnmanaged)
  }

  /// A property's reference is released where the same property is cleared or set, or its object dies.
  private mutating func pairByProperty() {
    for store in propertyStores {
      let end = firstRetain(after: store.row)
      guard let index = store.reference(in: retains[max(0, end - Self.reach)..<end]) else { continue }
      retains[index]?.property = store.property
    }
    apply { matcher, release in
      guard let property = release.property else { return nil }
      let end = matcher.firstRetain(after: release.row)
      let range = max(0, end - Self.reach)..<end
      let found = range.filter { index in
        guard let retain = matcher.retains[index], retain.property?.isSame(as: property) == true else { return false }
        // If the initializer that created the object kept another reference, too, either may be the property's.
        return !retain.isAllocation
          || !range.contains { matcher.retains[$0].map { retain.receivers.contains($0.place.key) } ?? false }
      }
      if found.count > 1 { for index in found { matcher.retains[index]?.isOneOfSeveral = true } }
      return found.last
    }
  }

  /// Each pair may leave another one as the only choice.
  private mutating func pairTheOnlyOnes() {
    while !releases.isEmpty {
      let before = releases.count
      apply { matcher, release in
        matcher.only(release) { release.place.image != 0 && $0.place.image == release.place.image }
          ?? matcher.only(release) { _ in true }
      }
      if releases.count == before { break }
    }
  }

  /// If one call took all references that are left, and libraries have released each of them since, then which release
  /// balanced which of them makes no difference.
  private mutating func pairEqualOnes() {
    guard releases.count > 1, releases.count == retains.count, let first = retains[0], let last = retains.last ?? nil,
      last.row < releases[0].row
    else { return }
    let isOneCall = retains.allSatisfy { retain in
      guard let retain, !retain.isAllocation, retain.place.role == .plain else { return false }
      return retain.place.key == first.place.key && retain.thread == first.thread
    }
    guard isOneCall, releases.allSatisfy({ ![0, first.place.image].contains($0.place.image) }) else { return }
    apply { matcher, release in matcher.newest(release) { _ in true } }
  }

  private mutating func apply(_ rule: (inout PairMatcher, Reference) -> Int?) {
    var rest: [Reference] = []
    for release in releases {
      if let index = rule(&self, release) { pair(index, release, .likely) } else { rest.append(release) }
    }
    releases = rest
    compact()
  }

  private mutating func compact() {
    retains = retains.filter { $0 != nil }
    rows = retains.compactMap { $0?.row }
  }

  private mutating func pair(
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

  private func newest(_ release: Reference, _ isWanted: (Reference) -> Bool) -> Int? {
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
  private func firstRetain(after row: Int) -> Int {
    var low = 0
    var high = retains.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func only(_ release: Reference, _ isWanted: (Reference) -> Bool) -> Int? {
    var found: Int?
    for index in retains.indices.prefix(Self.reach) {
      guard let retain = retains[index], retain.row < release.row, isWanted(retain) else { continue }
      if found != nil { return nil }
      found = index
    }
    return found
  }
}
