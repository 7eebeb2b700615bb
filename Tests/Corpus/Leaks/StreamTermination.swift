// leak: 1 Feed
// path: Feed.continuation, closure
// A stream's termination handler captures the object that keeps the stream's continuation.
final class Feed: @unchecked Sendable {
  var continuation: AsyncStream<Int>.Continuation?
  var stream: AsyncStream<Int>?
  var ends = 0
  @inline(never) func open() {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    continuation.onTermination = { _ in self.ends += 1 } // KEPT
    self.stream = stream
    self.continuation = continuation
  }
}
@inline(never) func run() -> Bool {
  let feed = Feed() // ALLOC
  feed.open() // KEPT-CALL
  #if CLEAN
  feed.continuation?.finish()
  #endif
  return feed.stream != nil
}
print(run())
