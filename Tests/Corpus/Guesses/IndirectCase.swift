// object: Token#1
// guess: a closure
// An indirect case of an enumeration has it: its box is made and freed as a closure's captures are.
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
