// object: Token#1
// guess: Vault
// A Foundation collection held it.
import Foundation
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

let list = NSMutableArray()
@inline(never) func begin() { list.add(Token()) }
@inline(never) func end() { list.removeAllObjects() }
begin()
end()
print("end")
