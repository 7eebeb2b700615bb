// object: Token#1
// guess: Vault
// never: true
// An array in a static dictionary held it, and a method of another type than the vault's removed that.
final class Token { var value = 1; @inline(never) func use() { value += 1 } }
final class Vault { var token: Token? }
let vault = Vault()

enum Table {
  nonisolated(unsafe) static var all: [String: [Token]] = [:]
  @inline(never) static func insert(_ name: String) { all[name, default: []].append(Token()) }
  @inline(never) static func purge(_ name: String) { all[name] = nil }
}
Table.insert("a")
Table.purge("a")
print("end")
