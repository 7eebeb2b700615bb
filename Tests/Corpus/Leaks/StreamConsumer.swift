// leak: 1 Feed
// path: Feed.consumer
// An object keeps a stream's continuation and the task that waits for the stream, which captures the object.
final class Feed: @unchecked Sendable {
  var continuation: AsyncStream<Int>.Continuation?
  var consumer: Task<Void, Never>?
  var sum = 0
  @inline(never) func open() {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    self.continuation = continuation
    consumer = Task { // KEPT
      for await number in stream { self.sum += number } // KEPT
    }
  }
}
@inline(never) func run() -> Bool {
  let feed = Feed() // ALLOC
  feed.open() // KEPT-CALL
  feed.continuation?.yield(4)
  #if CLEAN
  feed.continuation?.finish()
  #endif
  return feed.consumer != nil
}
print(run())
try await Task.sleep(nanoseconds: 100_000_000)
for _ in 0..<20 { await Task {}.value }
try await Task.sleep(nanoseconds: 20_000_000)
