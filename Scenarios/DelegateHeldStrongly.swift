// A view holds its delegate, which holds the view.
//
// A classic: `var delegate` without weak.
//
// Found: a retain cycle; controller and table are live at exit. Remedy: make the delegate weak.
import LifelineScenarios

enum DelegateHeldStrongly {
  class Table {
    func select() {}
  }

  final class HoldingTable: Table {
    var delegate: Controller?
    override func select() { delegate?.selected() }
  }

  final class WeakTable: Table {
    weak var delegate: Controller?
    override func select() { delegate?.selected() }
  }

  final class Controller {
    private let table: Table
    private(set) var selections = 0
    init(_ table: Table) { self.table = table }
    func selected() { selections += 1 }
    func select() { table.select() }
  }

  @inline(never) private static func play(_ table: Table, _ connect: (Controller) -> Void) {
    let controller = Controller(table)
    connect(controller)
    controller.select()
    observe("selections", controller.selections, is: 1)
  }

  static let scenario = Scenario(
    "DelegateHeldStrongly", "A delegate is held by what it holds", from: "classic",
    variants: [
      Variant("buggy", "Table and controller hold each other.", expect: [.live("Controller", count: 1), .live("HoldingTable", count: 1)]) {
        let table = HoldingTable()
        play(table) { table.delegate = $0 }
      },
      Variant("weak", "The table refers to its delegate weakly.", expect: [.live("Controller", count: 0), .live("WeakTable", count: 0)]) {
        let table = WeakTable()
        play(table) { table.delegate = $0 }
      },
    ])
}
