// object: Grid#1
// A function keeps the grid in a variable, stores it in an older tracker, and uses that after the owner let go.
class Grid { var cells = 0; func bump() { cells += 1 } }
final class Model {
  var grid: Grid? = Grid()
  @inline(never) func reset() { grid = nil }
}
final class Tracker {
  unowned(unsafe) var grid: Grid?
  var count = 0
  @inline(never) func mark() {
    grid?.bump()
    count += grid?.cells ?? 0
  }
}
let tracker = Tracker()
@inline(never) func keep(_ grid: Grid) { grid.bump() }
@inline(never) func refresh(_ model: Model) {
  let grid = model.grid!
  tracker.grid = grid
  model.reset()
  tracker.mark()
  keep(grid)
}
refresh(Model())
print("end", tracker.count)
