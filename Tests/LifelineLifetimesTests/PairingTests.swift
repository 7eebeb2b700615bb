@testable import LifelineLifetimes
import LifelineTrace
import Testing

@Suite struct PairingTests {
  /// A lifetime written as lines "retain f c": event, function, caller, optional thread.
  private func pairing(_ lines: [String]) -> Pairing {
    var places: [UInt64: CallIdentity] = [:]
    let rows = lines.enumerated().map { index, line -> HistoryRow in
      let words = line.split(separator: " ").map(String.init)
      var event = Event()
      event.kind = words[0] == "allocate" ? .allocate : words[0] == "retain" ? .retain : .release
      event.sequence = UInt64(index)
      event.thread = words.count > 3 ? UInt32(words[3])! : 1
      places[event.sequence] = CallIdentity(function: UInt64(words[1])!, caller: UInt64(words[2])!)
      return HistoryRow(event: event, backtrace: .empty)
    }
    return Pairing(ObjectHistory(id: ObjectID(className: "App.Node", number: 1), rows: rows)) {
      places[$0.event.sequence]!
    }
  }

  @Test("A release in the call that retained is a sure match")
  func sameCall() {
    let result = pairing(["allocate 1 1", "retain 2 7", "retain 3 8", "release 2 7", "release 3 8"])
    #expect(
      result.pairs == [
        Pairing.Pair(retain: 1, release: 3, confidence: .sure), Pairing.Pair(retain: 2, release: 4, confidence: .sure),
      ])
    #expect(result.unpairedRetains == [0])
  }

  @Test("Nested retains in one call are balanced newest first")
  func nested() {
    let result = pairing(["retain 2 7", "retain 2 7", "release 2 7", "release 2 7"])
    #expect(result.pairs.map(\.retain) == [1, 0])
    #expect(result.pairs.map(\.release) == [2, 3])
  }

  @Test("A release in the same function, called from elsewhere or on another thread, is a likely match")
  func sameFunction() {
    let result = pairing(["allocate 9 9", "retain 2 7", "release 2 8", "retain 3 7 1", "release 3 7 2"])
    #expect(
      result.pairs == [
        Pairing.Pair(retain: 1, release: 2, confidence: .likely),
        Pairing.Pair(retain: 3, release: 4, confidence: .likely),
      ])
  }

  @Test("With several open retains, a release by unrelated code stays unpaired and visible")
  func strangers() {
    let result = pairing(["allocate 1 1", "retain 2 7", "release 5 5"])
    #expect(result.pairs.isEmpty)
    #expect(result.unpairedReleases == [2])
    #expect(result.unpairedRetains == [0, 1])
  }

  @Test("A function's release of a reference that its running caller passed to it is a likely match")
  func passedOn() {
    let call = CallIdentity(function: 2, caller: 7)
    let callee = CallIdentity(function: 5, caller: 9, enclosing: [77, call.key])
    let events: [(EventKind, CallIdentity)] = [
      (.allocate, CallIdentity(function: 1, caller: 1)), (.retain, call), (.release, callee),
    ]
    let rows = events.enumerated().map { index, entry -> HistoryRow in
      var event = Event()
      event.kind = entry.0
      event.sequence = UInt64(index)
      return HistoryRow(event: event, backtrace: .empty)
    }
    let history = ObjectHistory(id: ObjectID(className: "App.Node", number: 1), rows: rows)
    let result = Pairing(history) { events[Int($0.event.sequence)].1 }
    #expect(result.pairs == [Pairing.Pair(retain: 1, release: 2, confidence: .likely)])
    #expect(result.unpairedRetains == [0])
  }

  /// `tasks` are the tasks of the events, if there are any.
  private func pairs(_ events: [(EventKind, CallIdentity)], tasks: [UInt64] = []) -> [Pairing.Pair] {
    let rows = events.enumerated().map { index, entry -> HistoryRow in
      var event = Event()
      event.kind = entry.0
      event.sequence = UInt64(index)
      event.argument1 = event.kind == .weakLoad ? 1 : 0
      if !tasks.isEmpty { event.task = tasks[index] }
      return HistoryRow(event: event, backtrace: .empty)
    }
    return Pairing(ObjectHistory(id: ObjectID(className: "App.Node", number: 1), rows: rows)) {
      events[Int($0.event.sequence)].1
    }.pairs
  }

  @Test(
    "References of one call that libraries released, as many as are left, are paired with those releases",
    arguments: [([8, 9], true), ([8], false), ([8, 7], false)] as [([Int], Bool)])
  func equal(_ images: [Int], _ isPaired: Bool) {
    let call = CallIdentity(function: 2, caller: 7, image: 7)
    let lent = CallIdentity(function: 5, caller: 5, lenders: [], image: 7)
    let pairs = pairs(
      [
        (.allocate, CallIdentity(function: 1, caller: 1, image: 7)), (.retain, call), (.retain, call), (.release, lent),
      ]
        + images.map { (.release, CallIdentity(function: 6, caller: UInt64($0), lenders: [], image: $0)) })
    let taken = pairs.filter { $0.retain > 0 }
    #expect(Set(taken.map(\.retain)) == (isPaired ? [1, 2] : []))
    #expect(taken.allSatisfy { $0.confidence == .likely })
  }

  @Test("An initializer releases what another call returned for it, not the reference of the allocation")
  func result() {
    let main = CallIdentity(function: 2, caller: 7)
    let getter = CallIdentity(function: 3, caller: 8, enclosing: [main.key])
    let keeper = CallIdentity(function: 3, caller: 8, enclosing: [main.key], reach: 0)
    let initializer = CallIdentity(
      function: 4, caller: 9, enclosing: [main.key], image: 1, ownsArguments: true, isInitializer: true)
    let setter = CallIdentity(function: 4, caller: 9, enclosing: [main.key], image: 1, ownsArguments: true)
    let birth = CallIdentity(function: 1, caller: 1, image: 1)
    func released(_ retain: CallIdentity, _ release: CallIdentity) -> [Int] {
      pairs(
        [(.allocate, birth), (.retain, retain), (.release, release), (.release, CallIdentity(function: 6, caller: 6))]
      )
      .filter { $0.release == 2 }.map(\.retain)
    }
    #expect(released(getter, initializer) == [1])
    #expect(released(keeper, initializer) == [0], "what returns nothing kept it")
    #expect(released(getter, setter) == [0], "a setter may release an older value")
  }

  @Test("A captured reference is released by the closure's context, not by the function that created it")
  func captured() {
    let run = CallIdentity(function: 2, caller: 7, image: 1)
    let maker = CallIdentity(function: 3, caller: 8, enclosing: [run.key], image: 1)
    #expect(
      pairs([
        (.allocate, maker), (.retain, CallIdentity(function: 4, caller: 9, enclosing: [run.key], role: .capture)),
        (.release, run), (.release, CallIdentity(function: 5, caller: 1, role: .captureEnd)),
      ]) == [
        Pairing.Pair(retain: 0, release: 2, confidence: .likely),
        Pairing.Pair(retain: 1, release: 3, confidence: .likely),
      ])
  }

  @Test("A setter releases the old value, not a reference that its caller's caller holds")
  func oldValue() {
    let run = CallIdentity(function: 2, caller: 7, image: 1, typeName: "Player")
    let stop = CallIdentity(function: 3, caller: 8, enclosing: [run.key], image: 1, typeName: "Player")
    let setter = CallIdentity(
      function: 4, caller: 9, enclosing: [stop.key, run.key], image: 1, ownsArguments: true, typeName: "Player")
    let birth = CallIdentity(function: 5, caller: 1, image: 1)
    #expect(
      pairs([(.allocate, birth), (.retain, run), (.release, setter), (.release, run)]) == [
        Pairing.Pair(retain: 0, release: 2, confidence: .likely),
        Pairing.Pair(retain: 1, release: 3, confidence: .sure),
      ])
  }

  @Test("A reference kept by a function that returns nothing is not the one its caller releases")
  func keptByCallee() {
    let show = CallIdentity(function: 2, caller: 7, image: 1)
    func callee(_ function: UInt64, _ typeName: String, reach: Int) -> CallIdentity {
      CallIdentity(function: function, caller: 9, enclosing: [show.key], image: 1, reach: reach, typeName: typeName)
    }
    let pop = CallIdentity(function: 6, caller: 1, image: 1, reach: 1, typeName: "Stack")
    #expect(
      pairs([
        (.allocate, callee(3, "Screen", reach: 1)), (.retain, callee(4, "Stack", reach: 0)),
        (.retain, callee(5, "Screen", reach: 0)), (.release, show), (.release, pop),
        (.release, CallIdentity(function: 8, caller: 1, role: .captureEnd)),
      ]) == [
        Pairing.Pair(retain: 0, release: 3, confidence: .likely),
        Pairing.Pair(retain: 1, release: 4, confidence: .likely),
        Pairing.Pair(retain: 2, release: 5, confidence: .likely),
      ])
  }

  @Test("Unmanaged releases in excess of its retains stay unpaired if the object was used after its end")
  func excess() {
    let owner = CallIdentity(function: 2, caller: 7, image: 1)
    let taken = CallIdentity(function: 3, caller: 8, image: 1, isUnmanaged: true)
    let given = CallIdentity(function: 4, caller: 9, image: 1, isUnmanaged: true)
    let events = [(EventKind.allocate, owner), (.retain, taken), (.release, given), (.release, given)]
    #expect(pairs(events).map(\.retain) == [1, 0])
    #expect(pairs(events + [(.useAfterFree, owner)]).map(\.retain) == [1])
  }

  @Test("A release in the call that retained is not sure if a context destroyed in that call may have been the one")
  func contextWithin() {
    let run = CallIdentity(function: 2, caller: 7, image: 1)
    let birth = CallIdentity(function: 3, caller: 8, image: 1)
    let end = CallIdentity(function: 4, caller: 9, enclosing: [run.key], image: 1, role: .captureEnd)
    let doubtful = pairs([(.allocate, birth), (.retain, run), (.release, end), (.release, run)])
    #expect(doubtful.count == 2 && doubtful.allSatisfy { $0.isDoubtful && $0.confidence == .likely })
    let sure = pairs([(.allocate, birth), (.retain, run), (.retain, run), (.release, end), (.release, run)])
    #expect(sure.last == Pairing.Pair(retain: 2, release: 4, confidence: .sure), "it has a reference of its own")
    let before = pairs([(.allocate, birth), (.release, end), (.retain, run), (.release, run)])
    #expect(before.last == Pairing.Pair(retain: 2, release: 3, confidence: .sure))
  }

  @Test("A closure's reference does not begin at an allocation by other code, which has a reference of its own")
  func madeElsewhere() {
    let run = CallIdentity(function: 2, caller: 7, image: 1)
    let other = CallIdentity(function: 3, caller: 8, enclosing: [run.key], image: 1)
    let birth = CallIdentity(function: 4, caller: 9, enclosing: [other.key, run.key], image: 1)
    let end = CallIdentity(function: 5, caller: 1, role: .captureEnd)
    #expect(
      pairs([(.allocate, birth), (.retain, run), (.retain, run), (.release, run), (.release, run), (.release, end)])
        == [
          Pairing.Pair(retain: 1, release: 3, confidence: .sure),
          Pairing.Pair(retain: 0, release: 4, confidence: .likely),
          Pairing.Pair(retain: 2, release: 5, confidence: .likely),
        ])
    let own = CallIdentity(function: 4, caller: 9, enclosing: [run.key], image: 1)
    #expect(
      pairs([(.allocate, own), (.retain, run), (.release, run), (.release, end)]).first
        == Pairing.Pair(retain: 1, release: 2, confidence: .sure),
      "the function that created it may have passed it to the closure")
  }

  @Test("What a call took that returned nothing is its closure's, not its caller's, which releases a reference as well")
  func takenForClosure() {
    let main = CallIdentity(function: 2, caller: 7, image: 1)
    let send = CallIdentity(function: 3, caller: 8, enclosing: [main.key], image: 1, typeName: "Outbox")
    let add = CallIdentity(function: 4, caller: 9, enclosing: [main.key], image: 1, reach: 1, typeName: "Outbox")
    func post(reach: Int) -> CallIdentity {
      CallIdentity(
        function: 5, caller: 6, enclosing: [send.key, main.key], image: 1, reach: reach, typeName: "Hub")
    }
    let end = CallIdentity(function: 10, caller: 1, role: .captureEnd)
    #expect(
      pairs([(.allocate, add), (.retain, post(reach: 0)), (.release, send), (.release, end)]) == [
        Pairing.Pair(retain: 0, release: 2, confidence: .likely),
        Pairing.Pair(retain: 1, release: 3, confidence: .likely),
      ])
    #expect(
      pairs([(.allocate, add), (.retain, post(reach: 1)), (.release, send), (.release, end)]).first
        == Pairing.Pair(retain: 1, release: 2, confidence: .likely),
      "the caller may have received it")
  }

  @Test("What a library took that a method called is not what another method of its type releases")
  func takenByLibrary() {
    let play = CallIdentity(function: 2, caller: 7, image: 1)
    func method(_ function: UInt64, _ image: Int) -> CallIdentity {
      CallIdentity(function: function, caller: 8, enclosing: [play.key], image: image, reach: 0, typeName: "Client")
    }
    let birth = CallIdentity(function: 3, caller: 9, enclosing: [play.key], image: 1, reach: 1)
    let end = CallIdentity(function: 10, caller: 1, image: 2, role: .captureEnd)
    #expect(
      pairs([
        (.allocate, birth), (.retain, method(4, 1)), (.retain, method(5, 2)), (.release, play),
        (.release, method(6, 1)), (.release, end),
      ]) == [
        Pairing.Pair(retain: 0, release: 3, confidence: .likely),
        Pairing.Pair(retain: 1, release: 4, confidence: .likely),
        Pairing.Pair(retain: 2, release: 5, confidence: .likely),
      ])
  }

  @Test("What another task took on the same thread was not the reference that its closure captured")
  func otherTask() {
    let run = CallIdentity(function: 2, caller: 7, image: 1)
    let birth = CallIdentity(function: 4, caller: 9, enclosing: [run.key], image: 1, reach: 1)
    let load = CallIdentity(function: 3, caller: 8, image: 1)
    let end = CallIdentity(function: 5, caller: 1, role: .captureEnd)
    let events = [(EventKind.allocate, birth), (.retain, load), (.release, load), (.release, end)]
    #expect(
      pairs(events, tasks: [1, 2, 2, 2]) == [
        Pairing.Pair(retain: 1, release: 2, confidence: .sure),
        Pairing.Pair(retain: 0, release: 3, confidence: .likely),
      ])
    #expect(pairs(events, tasks: [1, 1, 1, 1]).first == Pairing.Pair(retain: 0, release: 2, confidence: .likely))
  }

  @Test("What a method kept is more likely its closure's than its type's property's, which had the object before")
  func keptByMethod() {
    let test = CallIdentity(function: 2, caller: 7, image: 1)
    func method(_ function: UInt64, _ type: String) -> CallIdentity {
      CallIdentity(function: function, caller: 8, enclosing: [test.key], image: 1, reach: 0, typeName: type)
    }
    let store = CallIdentity(function: 9, caller: 8, enclosing: [test.key], image: 1, typeName: "Store")
    let birth = CallIdentity(
      function: 3, caller: 9, enclosing: [store.key, test.key], image: 1, reach: 1, typeName: "Draft")
    let (save, close, show) = (method(4, "Store"), method(5, "Store"), method(6, "Viewer"))
    #expect(
      pairs([
        (.allocate, birth), (.retain, save), (.retain, save), (.release, save), (.release, close), (.retain, show),
        (.release, show), (.release, CallIdentity(function: 10, caller: 1, role: .captureEnd)),
      ]) == [
        Pairing.Pair(retain: 2, release: 3, confidence: .sure),
        Pairing.Pair(retain: 0, release: 4, confidence: .likely),
        Pairing.Pair(retain: 5, release: 6, confidence: .sure),
        Pairing.Pair(retain: 1, release: 7, confidence: .likely),
      ])
  }

  @Test("The only open retain by the releasing image is a likely match; with two there is none")
  func sameImage() {
    func pairs(_ places: [(EventKind, Int)]) -> [Pairing.Pair] {
      let rows = places.enumerated().map { index, entry -> HistoryRow in
        var event = Event()
        event.kind = entry.0
        event.sequence = UInt64(index)
        return HistoryRow(event: event, backtrace: .empty)
      }
      let history = ObjectHistory(id: ObjectID(className: "App.Node", number: 1), rows: rows)
      return Pairing(history) { row in
        let index = Int(row.event.sequence)
        return CallIdentity(function: UInt64(100 + index), caller: 0, image: places[index].1)
      }.pairs
    }
    #expect(
      pairs([(.allocate, 1), (.retain, 2), (.release, 2)]) == [Pairing.Pair(retain: 1, release: 2, confidence: .likely)]
    )
    #expect(pairs([(.allocate, 1), (.retain, 2), (.retain, 2), (.release, 2)]) == [])
  }

  @Test("The last open reference is balanced by the last release")
  func lastReference() {
    let result = pairing(["allocate 1 1", "release 5 5"])
    #expect(result.pairs == [Pairing.Pair(retain: 0, release: 1, confidence: .likely)])
    #expect(result.unpairedRetains.isEmpty)
  }

  @Test("A call whose caller has gone on did not make a later release; an asynchronous one may go on, too")
  func returned() {
    let main = CallIdentity(function: 1, caller: 1, path: 10, image: 1, isWhole: true, canEnd: true)
    func call(canEnd: Bool) -> CallIdentity {
      CallIdentity(
        function: 2, caller: 7, enclosing: [main.key], path: 20, enclosingPaths: [11], image: 1, isWhole: true,
        canEnd: canEnd)
    }
    func confidence(canEnd: Bool, isWhole: Bool = true, path: UInt64 = 12) -> Pairing.Confidence? {
      let caller = CallIdentity(function: 1, caller: 1, path: path, image: 1, isWhole: isWhole, canEnd: true)
      let call = call(canEnd: canEnd)
      return pairs([(.retain, call), (.retain, caller), (.release, call), (.release, caller)])
        .first { $0.release == 2 }?.confidence
    }
    #expect(confidence(canEnd: true) == .likely)
    #expect(confidence(canEnd: false) == .sure, "the caller's thread goes on while the function waits")
    #expect(confidence(canEnd: true, isWhole: false) == .sure, "the call may be what the backtrace lacks")
    #expect(confidence(canEnd: true, path: 11) == .sure, "what the call does last appears at its own place")
  }

  @Test("A call that releases what may have been stored keeps its own reference for a later release, if there is one")
  func stored() {
    func rows(_ kinds: [EventKind]) -> [HistoryRow] {
      kinds.enumerated().map { index, kind in
        var event = Event()
        event.kind = kind
        event.sequence = UInt64(index)
        return HistoryRow(event: event, backtrace: .empty)
      }
    }
    func pairs(_ kinds: [EventKind]) -> [Pairing.Pair] {
      Pairing(ObjectHistory(id: ObjectID(className: "App.Node", number: 1), rows: rows(kinds))) { row in
        var call = CallIdentity(function: row.event.kind == .allocate ? 9 : 2, caller: 7, image: 1)
        call.mayBeStored = row.event.sequence == 2
        return call
      }.pairs
    }
    #expect(
      pairs([.allocate, .retain, .release, .release]) == [
        Pairing.Pair(retain: 0, release: 2, confidence: .likely),
        Pairing.Pair(retain: 1, release: 3, confidence: .sure),
      ])
    #expect(pairs([.allocate, .retain, .release]) == [Pairing.Pair(retain: 1, release: 2, confidence: .sure)])
  }

  @Test("A setter does not release what its caller took through a weak reference")
  func promoted() {
    let caller = CallIdentity(function: 2, caller: 7, image: 1)
    let setter = CallIdentity(function: 4, caller: 9, enclosing: [caller.key], image: 1, ownsArguments: true)
    let birth = CallIdentity(function: 1, caller: 1, image: 1)
    let pairs = pairs([(.allocate, birth), (.weakLoad, caller), (.release, setter), (.release, caller)])
    #expect(pairs.map(\.retain) == [0, 1])
    #expect(self.pairs([(.allocate, birth), (.retain, caller), (.release, setter)]).map(\.retain) == [1])
  }
}
