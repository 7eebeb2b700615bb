// class: Matrix
// kind: use-after-free
// A subscript is a call like any other.
class Matrix { var cells = [1, 2, 3]; subscript(_ index: Int) -> Int { get { cells[index] } set { cells[index] = newValue } } }
final class Solver { var matrix: Matrix? }
@inline(never) func load(_ solver: Solver) -> Unmanaged<Matrix> {
  solver.matrix = Matrix() // ALLOC
  return .passUnretained(solver.matrix!)
}
@inline(never) func unload(_ solver: Solver) {
  solver.matrix = nil // FREE
}
@inline(never) func element(_ matrix: Unmanaged<Matrix>) -> Int {
  matrix.takeUnretainedValue()[1] // ACCESS
}
let solver = Solver()
let matrix = load(solver)
#if !CLEAN
unload(solver)
#endif
print(element(matrix) >= 0)
unload(solver)
