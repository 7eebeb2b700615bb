// object: Token<Guesses.Item>#1
// guess: observers
// The vault's only generic property, implicitly unwrapped, holds it; beside it is a list of a library's objects.
import Foundation
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
final class Token<Element: AnyObject> {
  private var elements: [Element] = []
  private let make: () -> Element
  init(make: @escaping () -> Element) { self.make = make }
  @inline(never) func get() -> Element { elements.popLast() ?? make() }
  @inline(never) func put(_ element: Element) { elements.append(element) }
}
final class Vault {
  private var token: Token<Item>!
  private var observers: [any NSObjectProtocol] = []
  private var changes = 0
  init() {
    var count = 0
    token = Token {
      count += 1
      return Item(count)
    }
    observe()
  }
  deinit { observers.forEach(NotificationCenter.default.removeObserver(_:)) }
  @inline(never) private func observe() {
    observers.append(
      NotificationCenter.default.addObserver(forName: Notification.Name("Changed"), object: nil, queue: nil) {
        [weak self] _ in self?.changes += 1
      })
  }
  @inline(never) func read() -> Int {
    let item = token.get()
    defer { token.put(item) }
    return item.number
  }
}
@inline(never) func run() {
  let vault = Vault()
  print(vault.read(), vault.read())
}
run()
print("end")
