import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineLifetimes

@Suite("Histories of objects with very many events")
struct LongHistoryTests {
  /// An object with one round per letter: u for a use in one call, o for an owner that retains in one call and releases
  /// in another, l for a release by an owner.
  private func history(_ rounds: String, rowLimit: Int?) throws -> ObjectHistory {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    var count = 1 as Int64
    builder.addEvents { events in
      events.add(3, 0x5000, at: [0x99, 0x10], time: 1010, arguments: [1, 0])
      for round in rounds {
        switch round {
        case "u":
          events.add(1, 0x5000, count: count + 1, at: [0x99, 0x20])
          events.add(1, 0x5000, count: count + 2, at: [0x99, 0x28, 0x30])
          events.add(2, 0x5000, count: count + 1, at: [0x99, 0x28, 0x31])
          events.add(2, 0x5000, count: count, at: [0x99, 0x21])
        case "o":
          count += 1
          events.add(1, 0x5000, count: count, at: [0x99, 0x40])
        default:
          count -= 1
          events.add(2, 0x5000, count: count, at: [0x99, 0x51, 0x50])
        }
      }
    }
    return try builder.withFile { path in
      // Without an address the events are read one at a time, and in batches with it.
      let histories = try [0 as UInt64, 0x5000].map { address in
        var reader = HistoryReader(try Trace(path: path), rowLimit: rowLimit)
        let id = ObjectID(className: "App.Node", number: 1, address: address)
        return try #require(try reader.histories(of: [id]).first)
      }
      #expect(histories[0].rows.map(\.event) == histories[1].rows.map(\.event))
      #expect(histories[0].leftOut == histories[1].leftOut && histories[0].isCut == histories[1].isCut)
      return histories[0]
    }
  }

  private func unshown(_ history: ObjectHistory) -> [String] {
    history.rows.dropFirst(LongHistory.fringe).dropLast(LongHistory.fringe).map {
      "\($0.event.kind) \($0.event.count)"
    }
  }

  private let many = String(repeating: "u", count: 1000)

  @Test("Of repeated uses, also nested ones, one is shown and the rest are counted")
  func repeated() throws {
    let rounds = many + many + many
    let whole = try history(rounds, rowLimit: nil)
    #expect(whole.rows.count == 12001 && whole.leftOut == 0)
    let short = try history(rounds, rowLimit: 12001)
    #expect(short.rows.count + short.leftOut == 12001)
    #expect(unshown(short).count <= 8, "\(unshown(short))")
    #expect(short.rows.prefix(1000).map(\.event.sequence) == whole.rows.prefix(1000).map(\.event.sequence))
    #expect(short.rows.suffix(1000).map(\.event.sequence) == whole.rows.suffix(1000).map(\.event.sequence))
  }

  @Test("Changes of owners are kept, and so is the use that follows a release")
  func owners() throws {
    let rounds = many + "o" + many + "l" + many
    let whole = try history(rounds, rowLimit: nil)
    let short = try history(rounds, rowLimit: whole.rows.count)
    let rest = unshown(short)
    #expect(short.leftOut > 8000 && short.rows.count + short.leftOut == whole.rows.count)
    #expect(rest.contains("retain 2") && rest.contains("retain 3") && rest.contains("release 1"))
    let strong = short.rows.dropFirst().reduce(1) { $0 + $1.event.strongChange }
    #expect(strong == whole.rows.dropFirst().reduce(1) { $0 + $1.event.strongChange })
    let letsGo = try #require(short.rows.firstIndex { $0.event.count == 1 && $0.event.sequence > 8000 })
    let next = short.rows[letsGo + 1].event
    #expect(next.kind == .retain && next.sequence == short.rows[letsGo].event.sequence + 1)
  }

  @Test("Of owners that repeatedly retain in one call and release in another, one round is kept")
  func rounds() throws {
    let rounds = String(repeating: "ool", count: 2) + String(repeating: "oloul", count: 2000)
    let whole = try history(rounds, rowLimit: nil)
    let short = try history(rounds, rowLimit: whole.rows.count)
    #expect(short.rows.count + short.leftOut == whole.rows.count && !short.isCut)
    #expect(unshown(short).count <= 20, "\(unshown(short))")
    var last = short.rows[0].event.count
    for row in short.rows.dropFirst() {
      #expect(row.event.count == max(last, 1) + row.event.strongChange)
      last = row.event.count
    }
  }

  /// Owners that retain and release in an order that does not repeat.
  private func irregular(_ count: Int) -> String {
    var generator = SeededGenerator(seed: 7)
    var open = 0
    return String(
      (0..<count).map { _ in
        let comes = open == 0 || open < 40 && Bool.random(using: &generator)
        open += comes ? 1 : -1
        return comes ? "o" : "l"
      })
  }

  @Test("A history that is still too long omits its middle and knows the count after it")
  func cut() throws {
    let rounds = irregular(30_000)
    let whole = try history(rounds, rowLimit: nil)
    let short = try history(rounds, rowLimit: 4000)
    #expect(short.isCut && short.isOlder && short.rows.count <= 8000)
    #expect(short.rows.count - 1 + short.leftOut == whole.rows.count)
    #expect(short.allocation != nil && short.rows.last!.event.sequence == whole.rows.last!.event.sequence)
    let marks = short.rows.indices.filter { short.rows[$0].event.kind == .base }
    let mark = try #require(marks.first)
    #expect(marks.count == 1)
    var last = short.rows[mark].event.count
    for row in short.rows[(mark + 1)...] {
      #expect(row.event.count == last + row.event.strongChange)
      last = row.event.count
    }
  }

  @Test("An object whose end is in the omitted middle has ended")
  func end() throws {
    let whole = try history(irregular(9000), rowLimit: nil).rows
    var rows = whole
    rows[4000].isFinalRelease = true
    let short = try #require(LongHistory.withoutMiddle(rows, rowLimit: 1000))
    #expect(short.filter(\.isFinalRelease).map(\.event.sequence) == [whole[4000].event.sequence])
    #expect(LongHistory.withoutMiddle(rows, rowLimit: rows.count) == nil)
  }
}
