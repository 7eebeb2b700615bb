// leak: 1 Root, 6 Branch
// path: Root.branches, Branch.parent
// A tree of nodes with strong parents.
class Branch {
  var branches: [Branch] = []
  #if CLEAN
  weak var parent: Branch?
  #else
  var parent: Branch?
  #endif
  @inline(never) func grow() -> Branch {
    let branch = Branch() // ALLOC
    branch.parent = self // KEPT
    branches.append(branch)
    return branch
  }
}
final class Root: Branch {}
@inline(never) func plant() -> Int {
  let root = Root() // ALLOC
  for _ in 0..<2 { // KEPT-CALL
    let branch = root.grow() // KEPT-CALL
    _ = branch.grow() // KEPT-CALL
    _ = branch.grow()
  }
  return root.branches.count
}
print(plant())
