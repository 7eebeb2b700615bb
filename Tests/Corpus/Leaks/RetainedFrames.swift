// leak: 20 Frame
// findings: 1
// path:
// why: passRetained
// A decoder returns retained frames, and the caller forgets every fifth.
final class Frame { var number: Int; init(_ number: Int) { self.number = number } }
@inline(never) func decode(_ number: Int) -> OpaquePointer {
  OpaquePointer(Unmanaged.passRetained(Frame(number)).toOpaque()) // ALLOC KEPT
}
@inline(never) func show(_ count: Int) -> Int {
  var sum = 0
  for number in 0..<count {
    let frame = Unmanaged<Frame>.fromOpaque(UnsafeRawPointer(decode(number))) // KEPT-CALL
    #if CLEAN
    sum += frame.takeRetainedValue().number
    #else
    sum += number % 5 == 0 ? frame.takeUnretainedValue().number : frame.takeRetainedValue().number
    #endif
  }
  return sum
}
print(show(100))
