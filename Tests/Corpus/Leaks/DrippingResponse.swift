// leak: 1 DrippingHandler, 1 Context
// path: DrippingHandler.callback.handler
// change: DrippingHandler.callback to nil
// not: weak
// A struct in a property has two references, to its owner and to a context that has the owner twice. Weak references in
// the context would lose the handler, which nothing else has; clearing the property is enough.
protocol Handler: AnyObject {
  func receive(_ text: String, in context: Context)
}
final class Context {
  let name: String
  let inbound: any Handler
  let outbound: any Handler
  init(name: String, handler: any Handler) {
    self.name = name
    inbound = handler
    outbound = handler
  }
}
struct Weight<Value> {
  let value: Value
}
struct Callback {
  var handler: Weight<DrippingHandler>
  var context: Weight<Context>
  @inline(never) func run() { handler.value.drip(in: context.value) }
}
final class DrippingHandler: Handler {
  private var callback: Callback?
  private var left: Int
  init(count: Int) { left = count }
  func receive(_ text: String, in context: Context) {
    callback = Callback(handler: Weight(value: self), context: Weight(value: context)) // KEPT
    while left > 0 { callback?.run() }
    #if CLEAN
    callback = nil
    #endif
  }
  @inline(never) func drip(in context: Context) { left -= context.name.count }
}
final class Pipeline {
  private var contexts: [Context] = []
  @inline(never) func add(_ handler: any Handler) { contexts.append(Context(name: "dripping", handler: handler)) }
  @inline(never) func receive(_ text: String) {
    for context in contexts { context.inbound.receive(text, in: context) }
  }
  func close() { contexts.removeAll() }
}
@inline(never) func serve() {
  let pipeline = Pipeline()
  pipeline.add(DrippingHandler(count: 20)) // ALLOC
  pipeline.receive("GET /")
  pipeline.close()
}
serve()
print("served")
