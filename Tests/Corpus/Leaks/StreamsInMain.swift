// leak: 3 Reader
// path:
// says: Reader#1 is leaked: only a task that nothing can resume holds it (and 2 more like it)
// The main function itself makes streams and forgets their continuations: the last one is left over in its frame when it
// has returned.
final class Reader { var seen = 0 }
@inline(never) func make() -> Reader { Reader() } // ALLOC
@MainActor func start(_ stream: AsyncStream<String>) {
  let reader = make()
  Task { @MainActor in
    for await _ in stream { reader.seen += 1 } // KEPT
    reader.seen += 100
  }
}
for _ in 0..<3 {
  var sink: AsyncStream<String>.Continuation?
  let stream = AsyncStream<String> { sink = $0 }
  start(stream)
  for _ in 0..<10 { await Task.yield() }
  sink?.yield("a")
  for _ in 0..<10 { await Task.yield() }
  #if CLEAN
  sink?.finish()
  #endif
  sink = nil
}
// A task asks for an element on another thread, and must wait for it when the program ends.
try? await Task.sleep(nanoseconds: 200_000_000)
print("end")
