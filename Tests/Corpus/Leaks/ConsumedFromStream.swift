// leak: 3 Player
// path: Player.onLeave, closure
// A stream that is still in use holds the elements that wait in it, not those that were taken out.
final class Player: @unchecked Sendable {
  let number: Int
  var onLeave: (() -> Void)?
  var left = 0
  init(_ number: Int) { self.number = number }
}
struct Move: Sendable { let player: Player, steps: Int }
final class Game: Sendable {
  let moves: AsyncStream<Move>
  private let source: AsyncStream<Move>.Continuation
  init() { (moves, source) = AsyncStream.makeStream() }
  func play(_ player: Player) { source.yield(Move(player: player, steps: player.number * 2)) }
}
let game = Game()
@inline(never) func join(_ number: Int) {
  let player = Player(number) // ALLOC
  #if CLEAN
  player.onLeave = { [weak player] in player?.left += 1 }
  #else
  player.onLeave = { player.left += 1 } // KEPT
  #endif
  game.play(player)
}
@inline(never) func count(_ moves: Int) async -> Int {
  var steps = 0, left = moves
  for await move in game.moves {
    steps += move.steps
    left -= 1
    if left == 0 { break }
  }
  return steps
}
for number in 1...3 { join(number) } // KEPT-CALL
await print(count(3))
