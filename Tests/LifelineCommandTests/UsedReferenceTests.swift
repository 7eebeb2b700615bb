import LifelineTestSupport
import Testing

/// Through which property a freed object may have been used: the one that had its address when that happened.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct UsedReferenceTests {
  private func report(_ source: String, _ level: String) throws -> String {
    let program = try TestProgram(source, options: ["-g", level, "-module-name", "App"])
    let result = try withTemporaryFolder { try lifeline(["check", "-q", "--", program.path], in: $0) }
    #expect(result.status == 1)
    return result.output
  }

  private static let desk = """
    class Panel { var total = 0; func add(_ value: Int) { total += value } }
    final class Desk {
      var first: Panel? = Panel(), second: Panel? = Panel()
      @inline(never) func close() { second = nil }
    }
    """

  @Test("Of several references of a class, the one that still pointed to it is named", arguments: ["-Onone", "-O"])
  func several(_ level: String) throws {
    let output = try report(
      """
      final class Screen {
        unowned(unsafe) var top: Panel
        unowned(unsafe) var bottom: Panel
        init(_ top: Panel, _ bottom: Panel) { (self.top, self.bottom) = (top, bottom) }
        @inline(never) func draw() { top.add(1); bottom.add(2) }
      }
      \(Self.desk)
      let desk = Desk(), screen = Screen(desk.first!, desk.second!)
      screen.draw()
      desk.close()
      screen.draw()
      print("end")
      """, level)
    #expect(output.contains("; Screen#1.bottom, an unowned(unsafe) reference, still pointed to it.\n"), "\(output)")
    #expect(output.contains("To change: Make Screen.bottom weak, "))
  }

  @Test("A property that refers to another object is not what a use went through", arguments: ["-Onone", "-O"])
  func other(_ level: String) throws {
    let output = try report(
      """
      final class Table { var rows: [Unmanaged<Panel>] = [] }
      final class Screen {
        unowned(unsafe) var top: Panel
        let table: Table
        init(_ top: Panel, _ table: Table) { (self.top, self.table) = (top, table) }
        @inline(never) func draw() { top.add(1); for row in table.rows { row.takeUnretainedValue().add(2) } }
      }
      \(Self.desk)
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

  @Test("If two properties point to the object, either may have been used: none is named", arguments: ["-Onone", "-O"])
  func both(_ level: String) throws {
    let output = try report(
      """
      class Controller { var rows = 3; func count() -> Int { rows } }
      final class Table {
        unowned(unsafe) var delegate: Controller
        unowned(unsafe) var source: Controller
        init(_ controller: Controller) { (delegate, source) = (controller, controller) }
        @inline(never) func reload() -> Int { source.count() }
      }
      final class Desk {
        var controller: Controller? = Controller()
        @inline(never) func close() { controller = nil }
      }
      let desk = Desk(), table = Table(desk.controller!)
      print(table.reload())
      desk.close()
      print(table.reload())
      """, level)
    #expect(output.contains("  Table.reload() sent it Controller.count() (event "), "\(output)")
    #expect(!output.contains("Table.delegate") && output.contains("To change: Make the reference weak, clear it in "))
  }

  @Test("A property that a class inherits is to be changed where it is declared", arguments: ["-Onone", "-O"])
  func inherited(_ level: String) throws {
    let output = try report(
      """
      class Screen {
        unowned(unsafe) var top: Panel
        init(_ top: Panel) { self.top = top }
        @inline(never) func draw() { top.add(1) }
      }
      final class WideScreen: Screen { var width = 2 }
      \(Self.desk)
      let desk = Desk(), screen = WideScreen(desk.second!)
      screen.draw()
      desk.close()
      screen.draw()
      print("end", screen.width)
      """, level)
    #expect(output.contains("; WideScreen#1.top, an unowned(unsafe) reference, still pointed to it.\n"), "\(output)")
    #expect(output.contains("To change: Make Screen.top weak, "))
  }
}
