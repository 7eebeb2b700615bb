// object: Token#1
// guess: perhaps Vault
// never: the vault's property held another reference at that time
// A pool's array of Foundation keeps the vault's token beside the vault, and longer.
import Foundation
final class Token { var value = 1 }
final class Vault {
  var token: Token? = Token()
  @inline(never) func close() { token = nil }
}
final class Pool {
  private let list = NSMutableArray()
  @inline(never) func add(_ token: Token) { list.add(token) }
  @inline(never) func drain() { list.removeAllObjects() }
}
let pool = Pool(), vault = Vault()
@inline(never) func use(_ vault: Vault) { pool.add(vault.token!) }
use(vault)
vault.close()
pool.drain()
print("end")
