// object: Token#1
// guess: lucky
// The methods of a person that take and release the token keep it in another object's property.
final class Token { var value = 1 }
final class Purse { var token: Token?, spare: Token? }
final class Person {
  let purse = Purse()
  var lucky: Token?
  var token: Token? { get { purse.token } set { purse.token = newValue } }
  @inline(never) func earn(_ new: Token) { token = new }
  @inline(never) func save() {
    purse.spare = token
    token = nil
  }
  @inline(never) func spend() { purse.spare = nil }
  @inline(never) func lose() { lucky = nil }
}
@inline(never) func mint() -> Token { Token() }
func run() {
  let person = Person()
  person.earn(mint())
  person.lose()
  person.save()
  person.spend()
}
run()
print("end")
