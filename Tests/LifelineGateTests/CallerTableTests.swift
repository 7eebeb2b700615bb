import LifelineTrace
import Testing

@testable import LifelineGate

@Suite struct CallerTableTests {
  /// Calls, innermost first; those below 100 are in a library.
  private func number(_ table: inout CallerTable, _ calls: [UInt64]) -> String {
    let number = table.number { $0 < calls.count ? BacktraceEntry(returnAddress: calls[$0]) : nil }
    return table.names[number]
  }

  @Test("The caller is looked up once per distinct start of a backtrace, and each function has one number")
  func beginnings() {
    var asked: [[UInt64]] = []
    var table = CallerTable {
      $0.address >= 100
    } name: { calls in
      asked.append(calls.map(\.address))
      let own = calls.first { $0.address >= 100 }
      return ("f\((own?.address ?? 0) / 100)", calls.first.map { $0.address < 100 } ?? true)
    }
    defer { table.deallocate() }
    for _ in 0..<2 {
      #expect(number(&table, [100, 200, 300]) == "f1")
      #expect(number(&table, [100, 300]) == "f1")
      #expect(number(&table, [101, 300]) == "f1")
      #expect(number(&table, [7, 200, 300]) == "f2")
      #expect(number(&table, [7, 8, 200, 100]) == "f2")
      #expect(number(&table, [7, 8]) == "f0")
      #expect(number(&table, []) == "f0")
    }
    #expect(asked == [[100], [101], [7, 200], [7, 8, 200], [7, 8], []])
    #expect(table.names == ["f1", "f2", "f0"] && table.libraryFunctions == ["f2", "f0"])
  }
}
