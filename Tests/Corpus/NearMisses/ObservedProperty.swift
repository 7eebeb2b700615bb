// object: Track#1
// The player releases its track, through an observed property, while the method that has it in a variable still
// runs; the visualizer draws it.
class Track { var plays = 0; func play() { plays += 1 } }
final class Visualizer {
#if CLEAN
  weak var track: Track?
#else
  unowned(unsafe) var track: Track?
#endif
  @inline(never) func draw() {
    track?.play() // ACCESS
  }
}
final class Player {
  let visualizer = Visualizer()
  var stops = 0
  var track: Track? { didSet { stops += 1 } }
  @inline(never) func stop() { track = nil }
  @inline(never) func advance() {
    guard let current = track else { return }
    current.play()
    stop()
    visualizer.draw()
    current.play()
  }
}
@inline(never) func load(_ player: Player) {
  player.track = Track()
  player.visualizer.track = player.track
}
let player = Player()
load(player)
player.advance()
print(player.stops)
