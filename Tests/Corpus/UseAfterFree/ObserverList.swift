// class: Cell
// kind: use-after-free
// A list of observers that did not remove themselves.
protocol Observer: AnyObject { func valueChanged(_ value: Int) }
final class Model {
  var observers: [Unmanaged<AnyObject>] = []
  @inline(never) func notify() {
    for observer in observers {
      (observer.takeUnretainedValue() as! any Observer).valueChanged(1) // ACCESS
    }
  }
}
final class Cell: Observer { var value = 0; func valueChanged(_ value: Int) { self.value = value } }
final class Table { var cells: [Cell] = [] }
@inline(never) func add(_ table: Table, _ model: Model) {
  let cell = Cell() // ALLOC
  table.cells.append(cell)
  model.observers.append(.passUnretained(cell))
}
@inline(never) func reload(_ table: Table) {
  table.cells.removeAll() // FREE
}
let model = Model(), table = Table()
add(table, model)
#if !CLEAN
reload(table) // FREE-CALL
#endif
model.notify()
reload(table)
print("end")
