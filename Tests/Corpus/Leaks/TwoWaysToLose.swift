// leak: 5 Request
// findings: 2
// path:
// Two functions lose references to objects that one line allocates: two causes.
final class Request {
  let number: Int
  init(_ number: Int) { self.number = number }
}
@inline(never) func send(_ request: Request) -> Int {
  let pointer = Unmanaged.passRetained(request) // KEPT
  #if CLEAN
  pointer.release()
  #endif
  return pointer.toOpaque() == UnsafeMutableRawPointer(bitPattern: 1) ? 1 : 0
}
@inline(never) func post(_ request: Request) -> Int {
  let pointer = Unmanaged.passUnretained(request)
  _ = pointer.retain() // KEPT
  #if CLEAN
  pointer.release()
  #endif
  return request.number
}
@inline(never) func run() -> Int {
  var sum = 0
  for number in 0..<5 {
    let request = Request(number) // ALLOC
    sum += number < 3 ? send(request) : post(request) // KEPT-CALL
  }
  return sum
}
print(run())
