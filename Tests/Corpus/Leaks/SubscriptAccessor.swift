// leak: 1 Grid, 4 Cell
// path: Grid.rows, Cell.grid
// change: Cell.grid
// A subscript's getter creates the elements, which refer back.
final class Cell {
  var value = 0
  #if CLEAN
  unowned let grid: Grid
  #else
  let grid: Grid
  #endif
  init(_ grid: Grid) { self.grid = grid } // KEPT
}
final class Grid {
  private var rows: [[Cell?]] = [[nil, nil], [nil, nil]]
  subscript(row: Int, column: Int) -> Cell {
    if let cell = rows[row][column] { return cell }
    let cell = Cell(self) // ALLOC KEPT
    rows[row][column] = cell
    return cell
  }
}
@inline(never) func fill() -> Int {
  let grid = Grid() // ALLOC
  for row in 0..<2 { for column in 0..<2 { grid[row, column].value += row + column } } // KEPT-CALL
  return grid[1, 1].value
}
print(fill())
