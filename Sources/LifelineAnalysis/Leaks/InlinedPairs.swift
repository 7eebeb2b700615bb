import LifelineLifetimes

/// Which release balanced which retain where a call contains inlined functions: all of them look like one function,
/// but what one of them took is rather what it released than what the code around it released.
struct InlinedPairs {
  /// More are not examined.
  private static let limit = 1000

  let pairs: [Pairing.Pair]
  /// Those that have another release than before.
  let exchanged: [Pairing.Pair]

  /// Exchanges the releases of two pairs of one call if an inlined function took the reference of one, released that of
  /// the other, and neither pair is one function's. O(pairs).
  init(_ lifetime: ObjectLifetime, _ sites: CallSiteTable) {
    let rows = lifetime.history.rows
    var pairs = lifetime.pairing.pairs
    func function(_ row: Int) -> String? { sites.site(rows[row].backtrace).function?.function }
    func call(_ row: Int) -> UInt64 { sites.place(rows[row].backtrace).key }
    let divided = pairs.indices.prefix(Self.limit).filter { index in
      let pair = pairs[index]
      guard rows[pair.retain].event.kind != .allocate, call(pair.retain) == call(pair.release),
        rows[pair.retain].event.thread == rows[pair.release].event.thread
      else { return false }
      return function(pair.retain) != function(pair.release)
    }
    // By call and function: divided pairs whose release it made.
    var released: [Place: [Int]] = [:]
    for index in divided {
      released[Place(call: call(pairs[index].release), function: function(pairs[index].release)), default: []]
        .append(index)
    }
    var changed: Set<Int> = []
    for index in divided where function(pairs[index].retain) != function(pairs[index].release) {
      let place = Place(call: call(pairs[index].retain), function: function(pairs[index].retain))
      guard place.function != nil else { continue }
      let other = released[place]?.first { other in
        other != index && function(pairs[other].retain) != function(pairs[other].release)
          && function(pairs[other].release) == place.function && pairs[index].retain < pairs[other].release
          && pairs[other].retain < pairs[index].release
          && rows[pairs[index].retain].event.thread == rows[pairs[other].retain].event.thread
      }
      guard let other else { continue }
      let (own, theirs) = (pairs[index], pairs[other])
      pairs[index] = own.released(at: theirs)
      pairs[other] = theirs.released(at: own)
      changed.formUnion([index, other])
    }
    self.pairs = pairs
    exchanged = changed.sorted().map { pairs[$0] }
  }

  private struct Place: Hashable {
    let call: UInt64
    let function: String?
  }
}

extension Pairing.Pair {
  fileprivate func released(at other: Pairing.Pair) -> Pairing.Pair {
    Pairing.Pair(
      retain: retain, release: other.release, confidence: confidence == .sure ? other.confidence : confidence,
      isDoubtful: isDoubtful || other.isDoubtful)
  }
}
