import LifelineTestSupport
import Testing

/// Through which property a freed object was used: the one that had its address when that happened.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct UsedReferenceTests {
  private func report(_ source: String, _ level: String) throws -> String {
    let program = try TestProgram(source, options: ["-g", level, "-module-name", "App"])
    let result = try withTemporaryFolder { try lifeline(["check", "-q", "--", program.path], in: $0) }
    #expect(result.status == 1)
    return result.output
  }

  @Test("Of several references of one class, the one that was used is named", arguments: ["-Onone", "-O"])
  func several(_ level: String) throws {
    let output = try report(
      """
      class Panel { var total = 0; func add(_ value: Int) { total += value } }
      final class Screen {
        unowned(unsafe) var top: Panel
        unowned(unsafe) var bottom: Panel
        init(_ top: Panel, _ bottom: Panel) { (self.top, self.bottom) = (top, bottom) }
        @inline(never) func draw() { top.add(1); bottom.add(2) }
      }
      final class Desk {
        var first: Panel? = Panel(), second: Panel? = Panel()
        @inline(never) func close() { second = nil }
      }
      let desk = Desk(), screen = Screen(desk.first!, desk.second!)
      screen.draw()
      desk.close()
      screen.draw()
      print("end")
      """, level)
    #expect(
      output.contains("Screen.draw() sent it Panel.add(_:) through Screen#1.bottom, an unowned(unsafe) reference"),
      "\(output)")
    #expect(output.contains("To change: Make Screen.bottom weak, "))
  }

  @Test("A property that refers to another object is not what a use went through", arguments: ["-Onone", "-O"])
  func other(_ level: String) throws {
    let output = try report(
      """
      class Panel { var total = 0; func add(_ value: Int) { total += value } }
      final class Table { var rows: [Unmanaged<Panel>] = [] }
      final class Screen {
        unowned(unsafe) var top: Panel
        let table: Table
        init(_ top: Panel, _ table: Table) { (self.top, self.table) = (top, table) }
        @inline(never) func draw() { top.add(1); for row in table.rows { row.takeUnretainedValue().add(2) } }
      }
      final class Desk {
        var first: Panel? = Panel(), second: Panel? = Panel()
        @inline(never) func close() { second = nil }
      }
      let desk = Desk(), table = Table(), screen = Screen(desk.first!, table)
      table.rows.append(.passUnretained(desk.second!))
      screen.draw()
      desk.close()
      screen.draw()
      print("end")
      """, level)
    #expect(output.contains("  Screen.draw() sent it Panel.add(_:) (event "), "\(output)")
    #expect(output.contains("To change: If Screen.top, an unowned(unsafe) reference, was used, make it weak. "))
  }
}
