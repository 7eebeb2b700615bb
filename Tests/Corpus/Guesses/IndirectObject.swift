// object: Token#1
// guess: a closure
// The payload of an indirect case may be any object: its type does not say that it is a Token.
final class Token { var value = 1 }
indirect enum Tree {
  case leaf(AnyObject), pair(AnyObject, Tree), none
}
final class Vault {
  var tree = Tree.none
  @inline(never) func load() { tree = .pair(Token(), .leaf(Token())) }
  @inline(never) func unload() { tree = .none }
}
let vault = Vault()
vault.load()
vault.unload()
print("end")
