// leak: 1 Feed, 1 Chat, 1 Session
// findings: 2
// path: Feed.refresh, Chat.reply, closure
// change: Capture self weakly or unowned in the closure at main.swift
// Two cycles of different classes hold the same object, which is lost with the second of them.
final class Session { var requests = 0 }
final class Feed {
  let session: Session
  var refresh: (() -> Void)?
  init(_ session: Session) { self.session = session }
  func start() {
    #if CLEAN
    refresh = { [weak self] in self?.session.requests += 1 }
    #else
    refresh = { self.session.requests += 1 } // KEPT
    #endif
  }
}
final class Chat {
  let session: Session
  var reply: (() -> Void)?
  init(_ session: Session) { self.session = session }
  func start() {
    #if CLEAN
    reply = { [weak self] in self?.session.requests += 2 }
    #else
    reply = { self.session.requests += 2 } // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let session = Session() // ALLOC
  let feed = Feed(session), chat = Chat(session) // ALLOC
  feed.start() // KEPT
  chat.start() // KEPT
  feed.refresh?()
  chat.reply?()
  return session.requests
}
print(run()) // KEPT
