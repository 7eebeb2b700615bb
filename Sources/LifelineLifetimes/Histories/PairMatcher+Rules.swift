/// The rules that need all events of the object, in the order in which `Pairing` lists them.
extension PairMatcher {
  mutating func pairTheRest() {
    pairStored()
    pairByProperty()
    pairByTaker()
    pairByHand()
    pairByRunningCall()
    pairByFunction()
    pairByType()
    pairContextsWithCalls()
    pairByInnerCall()
    if let older {
      let count = min(older, releases.count)
      olderReleases = releases.prefix(count).map(\.row)
      openReleases = releases.dropFirst(count).map(\.row)
      return
    }
    pairContextsWithAny()
    pairTheOnlyOnes()
    pairAllocation()
    pairTheOnlyOnes()
    pairEqualOnes()
    openReleases = (releases + excess).map(\.row).sorted()
  }

  private mutating func pairStored() {
    for (release, own) in stored {
      if let index = own.last(where: { retains[$0] != nil }) {
        pair(index, release, .sure)
      } else {
        releases.append(release)
      }
    }
    releases.sort { $0.row < $1.row }
    compact()
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

  /// A block's end releases what its copy took, and a framework what it kept.
  private mutating func pairByTaker() {
    apply { matcher, release in
      switch release.place.role {
      case .captureEnd: matcher.newest(release) { $0.place.role == .capture }
      case .kept: matcher.newest(release) { $0.place.role == .kept }
      case .plain, .capture: nil
      }
    }
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

  /// A call around the release passed the reference on, or one inside the releasing call returned it.
  private mutating func pairByRunningCall() {
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
  }

  /// The same function, on the same thread if possible.
  private mutating func pairByFunction() {
    apply { matcher, release in
      matcher.newest(release) {
        $0.isPlain && $0.place.function == release.place.function && $0.thread == release.thread
      } ?? matcher.newest(release) { $0.isPlain && $0.place.function == release.place.function }
    }
  }

  /// A method releases what another one of its type stored, not what a library took that one of them called.
  private mutating func pairByType() {
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
  }

  /// A closure's context releases what a call took and did not return.
  private mutating func pairContextsWithCalls() {
    apply { matcher, release in
      guard release.place.role == .captureEnd else { return nil }
      return matcher.newest(release) {
        $0.place.role == .plain && !$0.isAllocation && !$0.place.ownsArguments && $0.receivers.isEmpty
      }
    }
  }

  private mutating func pairByInnerCall() {
    apply { matcher, release in
      matcher.newest(release) {
        $0.isPlain && $0.thread == release.thread && $0.place.enclosing.contains(release.place.key)
      }
    }
  }

  private mutating func pairContextsWithAny() {
    apply { matcher, release in
      guard release.place.role == .captureEnd else { return nil }
      return matcher.newest(release) { !$0.isAllocation }
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

  /// The last release by plain code of the program balances the first reference.
  private mutating func pairAllocation() {
    apply { matcher, release in
      guard release.place.role == .plain, release.place.image != 0 else { return nil }
      let found = matcher.newest(release) { $0.isAllocation && $0.place.image == release.place.image }
      let isUnknown = found.map { matcher.retains[$0]?.property == nil } ?? false
      if isUnknown, release.property == nil, matcher.newest(release, { !$0.isAllocation && $0.isPlain }) != nil {
        matcher.doubtful.insert(release.row)
      }
      return found
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
}
