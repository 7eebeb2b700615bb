// leak: 1 Reader
// path:
// says: Reader#1 is leaked: only a task that nothing can resume holds it
// A topic forgets a stream's continuation without finishing the stream: the task that reads it waits forever. The
// program sleeps so that the task, which asks for an element on another thread, already waits when the program ends.
final class Reader { var seen = 0 }
@MainActor final class Topic {
  private var sinks: [Int: AsyncStream<String>.Continuation] = [:]
  func stream(_ id: Int) -> AsyncStream<String> { AsyncStream { sinks[id] = $0 } }
  func send(_ text: String) { for sink in sinks.values { sink.yield(text) } }
  func drop(_ id: Int) {
    #if CLEAN
    sinks.removeValue(forKey: id)?.finish()
    #else
    sinks[id] = nil
    #endif
  }
}
@inline(never) func make() -> Reader { Reader() } // ALLOC
@MainActor func start(_ topic: Topic) {
  let reader = make()
  let stream = topic.stream(1)
  Task { @MainActor in
    for await _ in stream { reader.seen += 1 } // KEPT
    reader.seen += 100
  }
}
@MainActor func run() async {
  let topic = Topic()
  start(topic)
  for _ in 0..<10 { await Task.yield() }
  topic.send("a")
  for _ in 0..<10 { await Task.yield() }
  topic.drop(1)
  for _ in 0..<10 { await Task.yield() }
}
await run()
try? await Task.sleep(nanoseconds: 200_000_000)
print("end")
