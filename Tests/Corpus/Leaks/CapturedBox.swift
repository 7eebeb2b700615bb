// leak: 1 Game
// path: Game.step, closure
// A closure captures a variable in a box of its own, and the variable holds the object.
final class Game { var step: (() -> Int)? }
@inline(never) func play() -> Int {
  var current: Game? = Game() // ALLOC
  var turns = 0
  current!.step = { turns += 1; return current == nil ? 0 : turns } // KEPT
  let result = current!.step!() + current!.step!()
  #if CLEAN
  current = nil
  #endif
  return result
}
print(play())
