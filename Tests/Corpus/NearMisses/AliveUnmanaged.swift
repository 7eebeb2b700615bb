// object: Player#1
// At the end an asyncAfter block has the player; the mixer used it through a pointer after the deck released it.
import Foundation
final class Player: @unchecked Sendable { var position = 0; func advance(_ n: Int) { position += n } }
final class Mixer: @unchecked Sendable {
#if CLEAN
  weak var player: Player?
  init(_ player: Player) { self.player = player }
  @inline(never) func pull() { player?.advance(1) }
#else
  let player: Unmanaged<Player>
  init(_ player: Player) { self.player = .passUnretained(player) }
  @inline(never) func pull() {
    let player = player.takeUnretainedValue() // ACCESS
    player.advance(1) // ACCESS
    kept += player.position // ACCESS
  }
#endif
}
nonisolated(unsafe) var kept = 0
final class Deck: @unchecked Sendable {
  var player: Player? = Player()
  @inline(never) func eject() { player = nil }
}
@inline(never) func fadeOut(_ deck: Deck) {
  let player = deck.player!
  DispatchQueue.global().asyncAfter(deadline: .now() + 100) { player.advance(10) }
}
@inline(never) func run() {
  let deck = Deck()
  let mixer = Mixer(deck.player!)
  fadeOut(deck)
  deck.eject()
  mixer.pull()
}
run()
print("end")
