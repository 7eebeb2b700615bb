// object: Token#1
// guess: Vault
// when: open
// A timer's closure captured the token in a method of the vault, and later makes the vault release its own reference.
import Foundation
class Token {
  var uses = 0
  func use() { uses += 1 }
}
final class Display {
  private unowned let token: Token
  init(_ token: Token) { self.token = token }
}
final class Vault {
  var token: Token? = Token()
  lazy var display = Display(token!)
  private var timer: Timer?
  private(set) var isOver = false
  func run() {
    guard let token else { return }
    let display = display
    timer = Timer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { [weak self] timer in
      token.use()
      if token.uses == 2 { self?.quit() }
      withExtendedLifetime(display) {}
      guard token.uses == 3 else { return }
      timer.invalidate()
      self?.isOver = true
    }
  }
  func quit() { token = nil }
}
let vault = Vault()
vault.run()
while !vault.isOver { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
print("end", vault.token == nil)
