// leak: 11 Session
// path: Session.onClose, closure
// change: [weak self]
// Streams that are opened afterwards reuse the memory of the list, in which the sessions' addresses are left.

final class Session {
  let number: Int
  var onClose: (() -> Void)?

  init(_ number: Int) {
    self.number = number
    #if CLEAN
    onClose = { [weak self] in print("session \(self?.number ?? 0) closed") }
    #else
    onClose = { print("session \(self.number) closed") }  // KEPT
    #endif
  }
}

final class Feed {
  let stream: AsyncStream<Int>
  let continuation: AsyncStream<Int>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(of: Int.self) }
}

@inline(never)
func serve() -> Int {
  var batch: [Session] = []
  batch.reserveCapacity(11)
  for number in 0..<11 { batch.append(Session(number)) }
  return batch.reduce(0) { $0 + $1.number }
}

nonisolated(unsafe) var feeds: [Feed] = []
let sum = serve()
for _ in 0..<4 { feeds.append(Feed()) }
print(sum, feeds.count)
