// Tasks that pass objects from actor to actor.
final class Token: Sendable { let id: Int; init(_ id: Int) { self.id = id } }
actor Shelf { var tokens: [Token] = []; func put(_ token: Token) { tokens.append(token) }; func take() -> Token? { tokens.popLast() } }
let first = Shelf(), second = Shelf()
await withTaskGroup(of: Void.self) { group in
  for index in 0..<50 {
    group.addTask { await first.put(Token(index)); if let token = await first.take() { await second.put(token) } }
  }
}
var count = 0
while await second.take() != nil { count += 1 }
while await first.take() != nil { count += 1 }
print(count)
