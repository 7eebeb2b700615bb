// leak: 1 Upload, 1 Client
// path: Client.pending, closure, Upload.client
// A completion handler is kept after it was called.
final class Client {
  var pending: [() -> Void] = []
  func send(_ completion: @escaping () -> Void) { pending.append(completion) }
  func flush() {
    for completion in pending { completion() }
    #if CLEAN
    pending = []
    #endif
  }
}
final class Upload {
  let client: Client
  var isDone = false
  init(_ client: Client) { self.client = client }
  @inline(never) func start() { client.send { self.isDone = true } } // KEPT
}
@inline(never) func run() -> Bool {
  let client = Client() // ALLOC
  let upload = Upload(client) // ALLOC
  upload.start() // KEPT-CALL
  client.flush()
  return upload.isDone
}
print(run())
