// class: Branch
// kind: use-after-free
// A leaf messages its parent, which was freed before it.
class Branch {
  var leaves: [Leaf] = []
  func depth() -> Int { 1 }
}
final class Leaf {
  unowned(unsafe) let parent: Branch
  init(_ parent: Branch) { self.parent = parent }
  @inline(never) func depth() -> Int {
    parent.depth() + 1 // ACCESS
  }
}
final class Tree { var root: Branch? }
@inline(never) func grow(_ tree: Tree) -> Leaf {
  let branch = Branch() // ALLOC
  tree.root = branch
  let leaf = Leaf(branch)
  branch.leaves.append(leaf)
  return leaf
}
@inline(never) func fell(_ tree: Tree) {
  tree.root = nil // FREE
}
let tree = Tree()
let leaf = grow(tree)
#if !CLEAN
fell(tree)
#endif
print(leaf.depth() > 0)
fell(tree)
