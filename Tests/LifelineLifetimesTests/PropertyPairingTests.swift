@testable import LifelineLifetimes
import LifelineTrace
import Testing

@Suite struct PropertyPairingTests {
  private let user = CallIdentity(function: 1, caller: 1, image: 1, reach: 0)
  /// What a getter takes for the user.
  private var getter: CallIdentity {
    CallIdentity(function: 2, caller: 2, enclosing: [user.key], image: 1, reach: 1, typeName: "Desk")
  }
  private var birth: CallIdentity {
    CallIdentity(function: 3, caller: 3, enclosing: [user.key], image: 1, reach: 1, typeName: "Note")
  }

  private func setter(_ name: String, call: UInt64, from caller: UInt64? = nil) -> CallIdentity {
    var place = CallIdentity(
      function: name == "drawer" ? 4 : 5, caller: call, enclosing: [caller ?? user.key], image: 1, ownsArguments: true,
      typeName: "Desk")
    place.property = PropertyIdentity(root: "App.Desk", name: name, offset: nil)
    return place
  }

  private func pairs(_ events: [(EventKind, CallIdentity)]) -> [Pairing.Pair] {
    let rows = events.enumerated().map { index, entry -> HistoryRow in
      var event = Event()
      event.kind = entry.0
      event.sequence = UInt64(index)
      event.thread = 1
      return HistoryRow(event: event, backtrace: .empty)
    }
    let history = ObjectHistory(id: ObjectID(className: "App.Note", number: 1), rows: rows)
    return Pairing(history) { events[Int($0.event.sequence)].1 }.pairs
  }

  @Test("What a setter clears is the reference that was stored in its own property, whichever is the newest")
  func moved() {
    let (fill, other) = (setter("drawer", call: 10), setter("tray", call: 11))
    let events: [(EventKind, CallIdentity)] = [
      (.allocate, birth), (.retain, fill), (.release, fill), (.retain, getter), (.retain, other), (.release, other),
    ]
    let clear = setter("drawer", call: 12, from: 99)
    #expect(pairs(events + [(.release, clear)]).last == Pairing.Pair(retain: 0, release: 6, confidence: .likely))
    let empty = setter("tray", call: 12, from: 99)
    #expect(pairs(events + [(.release, empty)]).last == Pairing.Pair(retain: 3, release: 6, confidence: .likely))
  }

  @Test("Which of several objects a property was cleared in is unknown")
  func several() {
    let (first, second) = (setter("drawer", call: 10), setter("drawer", call: 11))
    let events: [(EventKind, CallIdentity)] = [
      (.allocate, birth), (.retain, first), (.release, first), (.retain, getter), (.retain, second), (.release, second),
      (.release, setter("drawer", call: 12, from: 99)), (.release, setter("drawer", call: 13, from: 98)),
    ]
    let found = pairs(events).filter { $0.confidence == .likely }
    #expect(found.map(\.release) == [6, 7] && found.allSatisfy(\.isOneOfSeveral))
  }

  @Test("Of the references that several methods of a type keep, it is a guess which one another method releases")
  func methods() {
    func method(_ function: UInt64) -> CallIdentity {
      CallIdentity(function: function, caller: 1, image: 1, reach: 0, typeName: "Desk")
    }
    let one = pairs([(.allocate, birth), (.retain, method(20)), (.release, method(22))])
    #expect(one.map(\.isDoubtful) == [false])
    let two = pairs([(.allocate, birth), (.retain, method(20)), (.retain, method(21)), (.release, method(22))])
    #expect(two.map(\.isDoubtful) == [true])
  }

  @Test("Properties are compared by their names, or by their offsets in objects of one root class")
  func identity() {
    let name = PropertyIdentity(root: "App.Desk", name: "drawer", offset: 16)
    let other = PropertyIdentity(root: "App.Desk", name: nil, offset: 24)
    #expect(name.isSame(as: PropertyIdentity(root: "App.Desk", name: nil, offset: 16)))
    #expect(!name.isSame(as: other) && name.isOther(than: other))
    let foreign = PropertyIdentity(root: "App.Shelf", name: nil, offset: 24)
    #expect(!name.isSame(as: foreign) && !name.isOther(than: foreign))
    #expect(name.isOther(than: PropertyIdentity(root: "App.Shelf", name: "drawer", offset: nil)))
  }
}
