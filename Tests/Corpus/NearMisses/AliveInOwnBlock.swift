// object: Game#1
// The program ends while a block still waits that captured the game in a method of the application, whose property had
// it. After that had released it, a display that only refers to it was used.
import Foundation
class Game: @unchecked Sendable {
  var frames = 0
  func tick() { frames += 1 }
}
final class Display {
#if CLEAN
  weak var game: Game?
#else
  unowned(unsafe) let game: Game
#endif
  init(_ game: Game) { self.game = game }
  @inline(never) func text() -> Int {
#if CLEAN
    game?.frames ?? 0
#else
    game.frames // ACCESS
#endif
  }
}
final class Application {
  var game: Game? = Game()
  @inline(never) func run(_ ready: DispatchSemaphore) {
    guard let game else { return }
    DispatchQueue.global().async {
      game.tick()
      ready.signal()
      sleep(100)
      game.tick()
    }
  }
  @inline(never) func quit() { game = nil }
}
@inline(never) func play() {
  let application = Application()
  let display = Display(application.game!)
  let ready = DispatchSemaphore(value: 0)
  application.run(ready)
  ready.wait()
  application.quit()
  print(display.text())
}
play()
print("end")
