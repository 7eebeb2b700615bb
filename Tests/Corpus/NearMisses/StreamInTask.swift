// object: Feed#1
// A task that iterates over a stream holds the feed. For each element a badge uses it through an unsafe reference.
import Foundation
class Feed: @unchecked Sendable { var unread = 0; func add(_ count: Int) { unread += count } }
final class App: @unchecked Sendable { var feed: Feed? = Feed(); @inline(never) func signOut() { feed = nil } }
final class Badge: @unchecked Sendable {
#if CLEAN
  weak var feed: Feed?
  @inline(never) func refresh() { guard let feed else { return }; count = feed.unread; feed.add(0) }
#else
  unowned(unsafe) var feed: Feed?
  @inline(never) func refresh() {
    count = feed!.unread // ACCESS
    feed!.add(0) // ACCESS
  }
#endif
  var count = 0
}
let app = App(), badge = Badge()
let (stream, continuation) = AsyncStream<Int>.makeStream()
@inline(never) func listen() -> Task<Void, Never> {
  let feed = app.feed!
  return Task.detached {
    for await count in stream {
      feed.add(count)
      badge.refresh()
    }
  }
}
badge.feed = app.feed
let task = listen()
app.signOut()
for index in 0..<3 { continuation.yield(index) }
continuation.finish()
await task.value
print("end", badge.count)
