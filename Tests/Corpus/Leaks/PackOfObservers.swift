// leak: 1 Joined, 3 Source
// path: Source.listener, closure, Joined.sources
// change: Capture self
// One closure is created for each element of a parameter pack: sources of three types hold it, and one capture is the cause.
final class Source<Value> {
  var value: Value
  var listener: (() -> Void)?
  init(_ value: Value) { self.value = value }
  func send(_ value: Value) { self.value = value; listener?() }
}
final class Joined<each Value> {
  let sources: (repeat Source<each Value>)
  var updates = 0
  init(_ source: repeat Source<each Value>) { sources = (repeat each source) }
  func connect() {
    #if CLEAN
    repeat listen(each sources) { [weak self] in self?.updates += 1 }
    #else
    repeat listen(each sources) { self.updates += 1 } // KEPT
    #endif
  }
  private func listen<V>(_ source: Source<V>, _ body: @escaping () -> Void) { source.listener = body } // KEPT
}
@inline(never) func run() -> Int {
  let number = Source(1), text = Source("x"), list = Source([2.0]) // KEPT-CALL
  let joined = Joined(number, text, list) // ALLOC
  joined.connect()
  number.send(2)
  text.send("y")
  list.send([])
  return joined.updates
}
print(run())
