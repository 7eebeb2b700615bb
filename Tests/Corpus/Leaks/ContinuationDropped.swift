// leak: 1 Request
// path:
// A continuation is lost: its task waits forever with the object in its frame. Everything is on the main actor, so that
// the task already waits when the program ends.
final class Request: @unchecked Sendable { var answer = 0 }
final class Gate: @unchecked Sendable { var waiting: UnsafeContinuation<Int, Never>?; var started: UnsafeContinuation<Void, Never>? }
let gate = Gate()
@inline(never) func make() -> Request { Request() } // ALLOC
@MainActor @inline(never) func ask() async {
  let request = make() // ALLOC
  request.answer = await withUnsafeContinuation { continuation in // KEPT
    gate.waiting = continuation
    gate.started?.resume()
  } // KEPT
  print(request.answer)
}
@MainActor @inline(never) func run() async {
  await withUnsafeContinuation { continuation in
    gate.started = continuation
    Task { await ask() } // KEPT-CALL
  }
  gate.started = nil
  #if CLEAN
  gate.waiting?.resume(returning: 1)
  try? await Task.sleep(nanoseconds: 50_000_000)
  #endif
  gate.waiting = nil
}
await run()
print("end")
