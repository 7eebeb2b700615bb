// A completion handler outlives the screen that made the request.
//
// From delegation-notifications-operations.txt: the sample's network methods return nothing, so a
// request cannot be canceled when the user moves on, and its handler calls back into a closed screen.
// A service that returns something cancelable lets the screen cancel the request when it disappears.
//
// Found: with an unsafe reference, a use after free; with a strong one, the screen lives until the
// answer arrives, kept by the service; captured weakly, or canceled, it is freed when it is closed.
import Foundation
import LifelineScenarios

enum CompletionOutlivesScreen {
  class Screen: @unchecked Sendable {
    let shown = Tally()
    private var request: Request?
    func show(_ photos: Int) { for _ in 0..<photos { shown.add() } }
    func keep(_ request: Request) { self.request = request }
    func disappear() { request?.cancel() }
  }

  /// Overrides show(_:), so that a call of it asks the object for it, in optimized builds as well.
  final class BlankScreen: Screen, @unchecked Sendable { override func show(_ photos: Int) {} }

  /// What a service returns that can be cancelled.
  final class Request: @unchecked Sendable {
    private let lock = NSLock()
    private var handler: (@Sendable (Int) -> Void)?
    init(_ handler: @escaping @Sendable (Int) -> Void) { self.handler = handler }
    func cancel() { lock.withLock { handler = nil } }
    func finish(_ photos: Int) { lock.withLock { handler }?(photos) }  // <- answer
  }

  final class Service: @unchecked Sendable {
    private let queue = DispatchQueue(label: "network")
    private let answer = Gate()
    private let done = Gate()
    private let lock = NSLock()
    private var pending: Request?

    /// Answers when `deliver` is called.
    func loadPhotos(_ handler: @escaping @Sendable (Int) -> Void) -> Request {
      let request = Request(handler)
      lock.withLock { pending = request }
      queue.async { [self] in
        answer.wait()
        finish()
        done.open()
      }
      return request
    }

    private func finish() {
      let request = lock.withLock { pending }
      request?.finish(2)
      lock.withLock { pending = nil }
    }

    func deliver() {
      answer.open()
      done.wait()
      queue.sync {}
    }
  }

  /// Opens a screen that asks, and closes it again; returns a way to see whether it still lives.
  @inline(never) static func visit(_ service: Service, cancels: Bool = false, _ ask: (Screen, Service) -> Request) -> () -> Bool {
    var screen: Screen? = Screen()
    open(screen!, service, cancels: cancels, ask)
    let isAlive = { [weak screen] in screen != nil }
    letGo(of: &screen)  // <- screen closed
    return isAlive
  }

  @inline(never) private static func open(_ screen: Screen, _ service: Service, cancels: Bool, _ ask: (Screen, Service) -> Request) {
    let request = ask(screen, service)
    if cancels { screen.keep(request) }
    screen.disappear()
  }

  static func play(livesOn: Bool, cancels: Bool = false, _ ask: (Screen, Service) -> Request) {
    let service = Service()
    let isAlive = visit(service, cancels: cancels, ask)
    observe("the closed screen lives", isAlive(), is: livesOn)
    service.deliver()
    observe("it lives after the answer", isAlive(), is: false)
  }

  static let scenario = Scenario(
    "CompletionOutlivesScreen", "An answer comes when the screen that asked is closed", from: "delegation-notifications-operations.txt",
    variants: [
      Variant(
        "unsafe", "The handler refers to the screen without holding it.",
        expect: [
          .found(
            "use-after-free", "Screen#1", access: "message", message: "show(_:)",
            lines: ["access": "unsafe handler", "final-release": "screen closed"])
        ]
      ) { play(livesOn: false) { screen, service in service.loadPhotos { [unowned(unsafe) screen] in screen.show($0) } } },  // <- unsafe handler
      Variant("strong", "The handler holds the screen until the answer arrives.", expect: [.live("Screen", count: 0)]) {
        play(livesOn: true) { screen, service in service.loadPhotos { screen.show($0) } }
      },
      Variant("weak", "The handler does nothing for a screen that is gone.", expect: [.live("Screen", count: 0)]) {
        play(livesOn: false) { screen, service in service.loadPhotos { [weak screen] in screen?.show($0) } }
      },
      Variant("cancelled", "The screen cancels its request when it disappears.", expect: [.live("Screen", count: 0)]) {
        play(livesOn: false, cancels: true) { screen, service in service.loadPhotos { screen.show($0) } }
      },
    ])
}
