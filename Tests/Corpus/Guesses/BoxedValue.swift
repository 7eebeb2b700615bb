// object: Token#1
// guess: a closure
// A structure that is too large for an existential lies in a box, which is created and freed like a closure's captures.
final class Token { var value = 1 }
protocol Fare { var price: Int { get } }
struct Ticket: Fare {
  var zone = 1, price = 2, seat = 3
  var token: AnyObject?
}
final class Vault {
  var fare: any Fare = Ticket()
  @inline(never) func load() { fare = Ticket(token: Token()) }
  @inline(never) func unload() { fare = Ticket() }
}
let vault = Vault()
vault.load()
vault.unload()
print(vault.fare.price)
