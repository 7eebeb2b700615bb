// leak: 1 DelayHandler, 1 Context
// path: DelayHandler.context, Context.inbound
// change: DelayHandler.context to nil
// not: weak
// The context has its handler twice and is all that has it, so making both references weak would lose the handler.
protocol Inbound: AnyObject {
  func read(_ text: String, in context: Context)
}
protocol Outbound: AnyObject {
  func write(_ text: String)
}
final class Context {
  let inbound: (any Inbound)?
  let outbound: (any Outbound)?
  init(_ handler: some AnyObject) {
    inbound = handler as? any Inbound
    outbound = handler as? any Outbound
  }
}
final class DelayHandler: Inbound, Outbound {
  private var context: Context?
  private var delayed: [String] = []
  func read(_ text: String, in context: Context) {
    self.context = context // KEPT
    delayed.append(text)
  }
  func write(_ text: String) {
    delayed.append(text)
    if delayed.count > 2 {
      delayed.removeAll()
      #if CLEAN
      context = nil
      #endif
    }
  }
}
final class Pipeline {
  private var contexts: [Context] = []
  @inline(never) func add(_ handler: some AnyObject) { contexts.append(Context(handler)) }
  @inline(never) func read(_ text: String) { for context in contexts { context.inbound?.read(text, in: context) } }
  @inline(never) func write(_ text: String) { for context in contexts { context.outbound?.write(text) } }
}
@inline(never) func serve() {
  let pipeline = Pipeline()
  pipeline.add(DelayHandler()) // ALLOC
  pipeline.read("GET /")
  pipeline.write("200")
  pipeline.write("OK")
}
serve()
print("served")
