// Elements wait in streams that nobody reads: after some were taken out, and around the end of the ring.
final class Letter: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}
struct Delivery: Sendable { let letter: Letter, weight: Int }
final class Post: Sendable {
  let letters: AsyncStream<Delivery>
  let source: AsyncStream<Delivery>.Continuation
  init() { (letters, source) = AsyncStream.makeStream() }
}
let post = Post()
@inline(never) func send(_ numbers: Range<Int>) {
  for number in numbers { post.source.yield(Delivery(letter: Letter(number), weight: number)) }
}
var iterator = post.letters.makeAsyncIterator()
var sum = 0
for round in 0..<10 {
  send(round * 5..<round * 5 + 5)
  for _ in 0..<3 { sum += await iterator.next()?.letter.number ?? 0 }
}
print(sum)
