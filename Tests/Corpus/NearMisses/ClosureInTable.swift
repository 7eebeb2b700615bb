// object: Player#1
// While the block that holds the player runs, it calls a closure from a table that captured the player unsafely.
import Dispatch
class Player: @unchecked Sendable { var frames = 0; func step() { frames += 1 } }
final class Hooks: @unchecked Sendable {
  var table: [String: () -> Void] = [:]
  func call(_ name: String) { table[name]?() }
}
final class Stage: @unchecked Sendable { var player: Player? = Player() }
nonisolated(unsafe) var total = 0
@inline(never) func keep(_ player: Player) { total += player.frames }
let hooks = Hooks(), stage = Stage(), queue = DispatchQueue(label: "render")
@inline(never) func install(_ player: Player) {
#if CLEAN
  hooks.table["step"] = { [weak player] in
    guard let player else { return }
    player.step()
    keep(player)
  }
#else
  hooks.table["step"] = { [unowned(unsafe) player] in
    player.step() // ACCESS
    keep(player) // ACCESS
  }
#endif
}
@inline(never) func submit() {
  let player = stage.player!
  queue.async {
    player.step()
    hooks.call("step")
  }
}
@inline(never) func stop() { stage.player = nil }
install(stage.player!)
queue.suspend()
submit()
stop()
queue.resume()
queue.sync {}
print("end", total)
