// leak: 1 Player, 1 Button
// path: Player.button, Button.action, closure
// change: Pass a closure that captures Player weakly or unowned instead of the method
// not: self
// A method is stored as a function: it captures self implicitly.
final class Button { var action: (() -> Void)? }
final class Player {
  let button = Button() // ALLOC
  var plays = 0
  func play() { plays += 1 }
  @inline(never) func connect() {
    #if CLEAN
    button.action = { [weak self] in self?.play() }
    #else
    button.action = play // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let player = Player() // ALLOC
  player.connect() // KEPT-CALL
  player.button.action?()
  return player.plays
}
print(run())
