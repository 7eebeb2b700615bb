// object: Token#1
// guess: perhaps Vault
// never: a library released it
// An array of Foundation kept the token. The only property in the program for such objects is always nil.
import Foundation
final class Token { var value = 1 }
final class Vault { var token: Token?; let name = "empty" }
let vault = Vault()
final class Pool { let list = NSMutableArray() }
let pool = Pool()
@inline(never) func fill(_ pool: Pool) { pool.list.add(Token()) }
@inline(never) func drain(_ pool: Pool) { pool.list.removeAllObjects() }
fill(pool)
drain(pool)
print("end", vault.name, vault.token == nil)
