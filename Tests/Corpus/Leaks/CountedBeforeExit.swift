// leak: 1 Branch, 1 Trunk
// path: Branch.trunk, Trunk.branch
// The program ends in a function that called the one which lost them, but cannot have got them from it: it returns a
// number.
import Glibc
final class Trunk { var branch: Branch?; let depth: Int; init(_ depth: Int) { self.depth = depth } }
final class Branch { var trunk: Trunk; init(_ trunk: Trunk) { self.trunk = trunk } }
@inline(never) func attach(_ branch: Branch, to trunk: Trunk) {
  #if !CLEAN
  trunk.branch = branch // KEPT
  #endif
}
@inline(never) func grow(_ depth: Int) -> Int {
  let trunk = Trunk(depth) // ALLOC
  let branch = Branch(trunk) // ALLOC KEPT
  attach(branch, to: trunk) // KEPT-CALL
  return branch.trunk.depth
}
@inline(never) func descend(_ depth: Int, from trunk: Trunk) -> Int {
  let own = Trunk(depth)
  if depth == 50 {
    print(grow(-1) + trunk.depth) // KEPT-CALL
    exit(0)
  }
  return descend(depth + 1, from: own) + own.depth
}
print(descend(0, from: Trunk(0)))
