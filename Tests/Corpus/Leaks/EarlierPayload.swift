// leak: 1 StreamHandler, 1 Context, 1 Writer
// path: StreamHandler.context, Context.writers, Writer.handler
// says: StreamHandler.context → Context.writers → Writer.handler → StreamHandler
// change: Writer.handler weak
// The state machine's earlier case had the writer, which an array has as well: only the array still refers to it.
struct Machine {
  private enum State {
    case idle
    case open(count: Int, any CustomStringConvertible, writer: Writer)
    case closed(count: Int)
  }
  private var state = State.idle
  var isOpen: Bool { if case .open = state { true } else { false } }
  mutating func open(_ writer: Writer) { state = .open(count: 1, "open", writer: writer) }
  mutating func close() { state = .closed(count: 2) }
}
final class Writer {
  #if CLEAN
  unowned let handler: StreamHandler
  #else
  let handler: StreamHandler
  #endif
  private(set) var written = 0
  init(handler: StreamHandler) { self.handler = handler }
  @inline(never) func write(_ text: String) { written += text.utf8.count }
}
final class Context {
  private(set) var writers: [Writer] = []
  func add(_ writer: Writer) { writers.append(writer) } // KEPT
}
final class StreamHandler {
  private var machine = Machine()
  private var context: Context?
  var isOpen: Bool { machine.isOpen }
  @inline(never) func added(to context: Context) {
    self.context = context // KEPT
    let writer = Writer(handler: self) // KEPT
    machine.open(writer)
    context.add(writer)
  }
  @inline(never) func write(_ text: String) { for writer in context?.writers ?? [] { writer.write(text) } }
  @inline(never) func close() { machine.close() }
}
@inline(never) func serve() -> Bool {
  let handler = StreamHandler() // ALLOC
  handler.added(to: Context())
  handler.write("hello")
  handler.close()
  return handler.isOpen
}
print(serve())
