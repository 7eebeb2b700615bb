// leak: 2 Screen, 2 Player, 2 Queue, 4 Item
// says: Screen.player → Player.onEnd
// change: main.swift:22, main.swift:40 and main.swift:45 ([weak self]), and make Item.screen and Queue.player weak
// not: known to free everything
// Four things that a screen owns refer back to it or to each other, each by a mistake of its own.
final class Item {
  let title: String
  #if CLEAN
  weak var screen: Screen?
  #else
  var screen: Screen?
  #endif
  init(title: String) { self.title = title }
}
final class Queue {
  var items: [Item] = []
  #if CLEAN
  weak var player: Player?
  lazy var summary: () -> String = { [weak self] in "\(self?.items.count ?? 0) items" }
  #else
  var player: Player?
  lazy var summary: () -> String = { "\(self.items.count) items" }
  #endif
}
final class Player {
  let queue = Queue()
  var onEnd: (() -> Void)?
  var onError: ((String) -> Void)?
}
final class Screen {
  var player: Player?
  var errors: [String] = []
  var isAtEnd = false
  @inline(never) func open() {
    let player = Player()
    self.player = player // KEPT
    #if CLEAN
    player.onEnd = { [weak self] in self?.isAtEnd = true }
    #else
    player.onEnd = { self.isAtEnd = true } // KEPT
    #endif
    #if CLEAN
    player.onError = { [weak self] error in self?.errors.append(error) }
    #else
    player.onError = { error in self.errors.append(error) }
    #endif
    player.queue.player = player
    for title in ["one", "two"] {
      let item = Item(title: title)
      item.screen = self
      player.queue.items.append(item)
    }
  }
  @inline(never) func show() -> String {
    player?.onError?("too loud")
    player?.onEnd?()
    return "\(player?.queue.summary() ?? ""), \(errors.count) errors, \(isAtEnd)"
  }
}
for _ in 0..<2 {
  let screen = Screen() // ALLOC
  screen.open()
  print(screen.show())
}
