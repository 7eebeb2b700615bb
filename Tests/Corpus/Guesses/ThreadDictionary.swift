// object: Token#1
// guess: Vault
// The thread's dictionary held it.
import Foundation
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

@inline(never) func begin() { Thread.current.threadDictionary["token"] = Token() }
@inline(never) func end() { Thread.current.threadDictionary.removeObject(forKey: "token") }
begin()
end()
print("end")
