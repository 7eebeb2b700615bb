// leak: 1 Feed, 1 Client, 1 Link
// path: Link.handler, Client.delegate, Feed.client
// not: Client.delegate
// A property named like a back reference is the only owner of an object that its own class made.
protocol Handler: AnyObject { func received(_ text: String) }
final class Link {
  #if CLEAN
  weak var handler: Handler?
  #else
  let handler: Handler?
  #endif
  private(set) var count = 0
  init(handler: Handler) { self.handler = handler } // KEPT
  @inline(never) func open() {
    count += 1
    handler?.received("hello \(count)")
  }
}
final class Client {
  private var delegate: Link
  init(handler: Handler) { delegate = Link(handler: handler) } // KEPT
  @inline(never) func start() {
    let link = delegate
    link.open()
    if link.count > 4 { delegate = Link(handler: link.handler!) }
  }
}
final class Feed: Handler {
  private var client: Client?
  private(set) var texts: [String] = []
  @inline(never) func connect() {
    client = Client(handler: self) // KEPT
    client?.start()
    client?.start()
  }
  func received(_ text: String) { texts.append(text) }
}
@inline(never) func run() -> Int {
  let feed = Feed() // ALLOC
  feed.connect()
  return feed.texts.count
}
print(run())
