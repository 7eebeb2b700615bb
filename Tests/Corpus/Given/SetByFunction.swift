// object: Grid#1
// The same by a setter that is called, as the class has subclasses.
class Grid { var cells = 0; func bump() { cells += 1 } }
final class Model {
  var grid: Grid? = Grid()
  @inline(never) func reset() { grid = nil }
}
class Tracker {
  unowned(unsafe) var grid: Grid?
  unowned(unsafe) var next: Grid?
  var count = 0
  @inline(never) func mark() {
    grid?.bump()
    count += grid?.cells ?? 0
  }
}
final class Recorder: Tracker { override func mark() { super.mark() } }
let tracker: Tracker = CommandLine.arguments.count > 5 ? Recorder() : Tracker()
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
