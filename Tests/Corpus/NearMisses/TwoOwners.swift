// object: Track#2
// A list and a player have the track, and which of them released which reference is a guess. After both a block holds
// it, and uses a cursor that refers to it.
import Dispatch
class Track: @unchecked Sendable {
  let name: String
  var plays = 0
  init(_ name: String) { self.name = name }
  func play() { plays += 1 }
}
final class Playlist {
  var tracks: [Track] = []
  @inline(never) func remove(_ index: Int) { tracks.remove(at: index) }
}
final class Cursor: @unchecked Sendable {
#if CLEAN
  weak var track: Track?
#else
  unowned(unsafe) let track: Track
#endif
  init(_ track: Track) { self.track = track }
  @inline(never) func advance() {
#if CLEAN
    track?.play()
#else
    track.play() // ACCESS
#endif
  }
}
final class Player {
  var current: Track?
  let cursor: Cursor
  init(_ cursor: Cursor) { self.cursor = cursor }
  @inline(never) func stop() { current = nil }
}
@inline(never) func start(_ player: Player, _ queue: DispatchQueue, _ gate: DispatchSemaphore) {
  let track = player.current!, cursor = player.cursor
  queue.async {
    gate.wait()
    cursor.advance()
    print("played", track.name, track.plays)
  }
}
@inline(never) func run() {
  let list = Playlist()
  list.tracks = [Track("one"), Track("two")]
  let player = Player(Cursor(list.tracks[1]))
  player.current = list.tracks[1]
  let queue = DispatchQueue(label: "audio"), gate = DispatchSemaphore(value: 0)
  start(player, queue, gate)
  player.stop()
  list.remove(1)
  gate.signal()
  queue.sync {}
}
run()
print("end")
