// A state machine gives its handler to a block. Until then it had it, though the block's closure releases it.
import Dispatch

final class Handler: @unchecked Sendable {
  var stops = 0
  func stopped(_ times: Int) { stops += times }
}

final class Context {
  let handler: Handler
  init(_ handler: Handler) { self.handler = handler }
}

struct Machine {
  enum State {
    case open(Handler, Int)
    case closed
  }
  private(set) var state: State

  init(_ handler: Handler) { state = .open(handler, 1) }

  mutating func finish() -> Handler? {
    switch state {
    case .open(let handler, _):
      state = .closed
      return handler
    case .closed: return nil
    }
  }
}

nonisolated(unsafe) var watched: [Handler] = []

@inline(never) func watch(_ handler: Handler) -> Int {
  watched.append(handler)
  defer { watched.removeAll() }
  return watched.count
}

final class Producer {
  private var machine: Machine
  private let times = 3
  init(_ handler: Handler) { machine = Machine(handler) }

  @inline(never) func peek() -> Int {
    if case .open(let handler, let number) = machine.state { return watch(handler) + number }
    return 0
  }

  @inline(never) func end(on queue: DispatchQueue) {
    let times = times
    if let handler = machine.finish() { queue.async { handler.stopped(times) } }
  }
}

@inline(never) func run() -> Int {
  let queue = DispatchQueue(label: "queue")
  var context: Context?
  let producer: Producer
  do {
    let handler = Handler()
    context = Context(handler)
    producer = Producer(handler)
  }
  withExtendedLifetime(context) {}
  context = nil
  let number = producer.peek()
  producer.end(on: queue)
  queue.sync {}
  return number
}
print(run())
