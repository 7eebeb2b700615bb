// A closure that captured a handler is stored, and later given to a block that captures it: until then it was stored.
import Dispatch

final class Handler: @unchecked Sendable {
  var stops = 0
  func stopped(_ times: Int) { stops += times }
}

final class Context {
  let handler: Handler
  init(_ handler: Handler) { self.handler = handler }
}

struct Action: @unchecked Sendable { let run: (Int) -> Void }

final class Producer {
  private var action: Action?
  private let times = 3

  init(_ handler: Handler) {
    let more = times
    action = Action { times in handler.stopped(times + more) }
  }

  @inline(never) func peek() {
    if let action { action.run(0) }
  }

  @inline(never) func end(on queue: DispatchQueue) {
    let times = times
    if let action {
      self.action = nil
      queue.async { action.run(times) }
    }
  }
}

final class Watcher {
  unowned(unsafe) let handler: Handler
  private var seen: [Handler] = []
  init(_ handler: Handler) { self.handler = handler }

  @inline(never) func look() -> Int {
    seen.append(handler)
    defer { seen.removeAll() }
    return seen.count
  }
}

@inline(never) func run() -> Int {
  let queue = DispatchQueue(label: "queue")
  var context: Context?
  let producer: Producer
  let watcher: Watcher
  do {
    let handler = Handler()
    context = Context(handler)
    producer = Producer(handler)
    watcher = Watcher(handler)
  }
  withExtendedLifetime(context) {}
  context = nil
  producer.peek()
  let number = watcher.look()
  producer.end(on: queue)
  queue.sync {}
  return number
}
print(run())
