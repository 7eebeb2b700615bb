// Unowned references that outlive their object and are never read again: legal.
final class Owner { var value = 1 }
final class User { unowned let owner: Owner; unowned(unsafe) let raw: Owner; init(_ owner: Owner) { self.owner = owner; raw = owner } }
var users: [User] = []
@inline(never) func make() { let owner = Owner(); users.append(User(owner)); precondition(users.last!.owner.value + users.last!.raw.value == 2) }
for _ in 0..<200 { make() }
print(users.count)
