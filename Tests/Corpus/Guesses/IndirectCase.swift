// object: Token#1
// guess: a closure
// An indirect enum case holds it: its box is allocated and freed like a closure's captures.
final class Token { var value = 1 }
indirect enum Tree {
  case leaf(Token), pair(Tree, Tree), none
}
final class Vault {
  var tree = Tree.none
  @inline(never) func load() { tree = .pair(.leaf(Token()), .leaf(Token())) }
  @inline(never) func unload() { tree = .none }
}
let vault = Vault()
vault.load()
vault.unload()
print("end")
