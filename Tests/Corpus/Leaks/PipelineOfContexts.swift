// leak: 1 Channel, 1 Pipeline, 2 Context, 1 Decoder, 1 Counter
// path: Channel._pipeline, Pipeline.channel
// change: Make Context.previous and Pipeline.channel weak or unowned, and set Decoder.context to nil
// not: Context.handler
// A channel that is never closed, as in swift-nio. Of the changes that together free everything, one must not make the
// only reference to the handlers weak.
protocol Handler: AnyObject {
  func added(in context: Context)
  func removed()
  func read(_ text: String, in context: Context)
}
extension Handler {
  func added(in context: Context) {}
  func removed() {}
}
final class Context {
  let handler: any Handler
  var next: Context?
  var previous: Context?
  init(handler: any Handler) { self.handler = handler }
  @inline(never) func fire(_ text: String) {
    guard let next else { return }
    next.handler.read(text, in: next)
  }
}
final class Counter: Handler {
  private var count = 0
  func read(_ text: String, in context: Context) { count += text.utf8.count }
}
final class Decoder: Handler {
  private var context: Context?
  private var buffer = ""
  func added(in context: Context) { self.context = context }
  func removed() { context = nil }
  func read(_ text: String, in context: Context) {
    buffer += text
    guard buffer.utf8.count > 4 else { return }
    self.context?.fire(buffer)
    buffer = ""
  }
}
final class Pipeline {
  private var head: Context?
  private var channel: Channel?
  init(channel: Channel) { self.channel = channel }
  @inline(never) func add(_ handler: any Handler) {
    let context = Context(handler: handler)
    var last = head
    while let next = last?.next { last = next }
    last?.next = context
    context.previous = last
    if head == nil { head = context }
    handler.added(in: context)
  }
  @inline(never) func read(_ text: String) {
    guard let head else { return }
    head.handler.read(text, in: head)
  }
  @inline(never) func removeAll() {
    var context = head
    while let here = context {
      context = here.next
      here.handler.removed()
      here.next = nil
      here.previous = nil
    }
    head = nil
    channel = nil
  }
}
final class Channel {
  private var _pipeline: Pipeline!
  var pipeline: Pipeline { _pipeline }
  init() { _pipeline = Pipeline(channel: self) } // KEPT
  @inline(never) func close() { pipeline.removeAll() }
}
@inline(never) func serve() {
  let channel = Channel() // ALLOC
  channel.pipeline.add(Decoder())
  channel.pipeline.add(Counter())
  for _ in 0..<5 { channel.pipeline.read("GET") }
  #if CLEAN
  channel.close()
  #endif
}
serve()
print("served")
