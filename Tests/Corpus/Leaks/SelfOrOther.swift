// leak: 1 Request
// path: Request.onReply, closure
// change: weakly or unowned in
// not: weak other
// A closure captures two objects of one class.
final class Request {
  private var onReply: ((Int, Request) -> Void)?
  private var replies = 0
  @inline(never) func reply(_ value: Int) { replies += value }
  func forward(to other: Request) {
    #if CLEAN
    onReply = { [weak self] value, _ in
      self?.reply(value); other.reply(value)
    }
    #else
    onReply = { value, _ in // KEPT
      self.reply(value); other.reply(value)
    }
    #endif
  }
  @inline(never) func send() { onReply?(1, self) }
}
@inline(never) func run(_ other: Request) {
  let request = Request() // ALLOC
  request.forward(to: other)
  request.send()
}
let last = Request()
run(last)
print(last)
