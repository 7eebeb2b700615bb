// object: Player#1
// Only a block keeps it; a method of a protocol extension reads it from the conforming object's unsafe property.
import Dispatch
final class Player: @unchecked Sendable { var ticks = 0; @inline(never) func tick() { ticks += 1 } }
protocol Remote: AnyObject { var player: Player? { get } }
nonisolated(unsafe) var total = 0
@inline(never) func add(_ player: Player) { total += player.ticks }
extension Remote {
  @inline(never) func press() {
    guard let player else { return } // ACCESS
    player.tick() // ACCESS
    add(player) // ACCESS
  }
}
final class Button: Remote, @unchecked Sendable {
  #if CLEAN
  weak var player: Player?
  #else
  unowned(unsafe) var player: Player? // ACCESS
  #endif
}
final class Room: @unchecked Sendable {
  var player: Player? = Player()
  @inline(never) func leave() { player = nil }
}
let room = Room(), button = Button(), queue = DispatchQueue(label: "ticks")
button.player = room.player
@inline(never) func submit() {
  let player = room.player!
  queue.async {
    player.tick()
    button.press()
  }
}
queue.suspend()
submit()
room.leave()
queue.resume()
queue.sync {}
print("end")
