// leak: 1 Context
// path:
// why: passRetained
// A C callback gets a retained context; of three registrations one is never undone. What the callback takes is released.
final class Context { var calls = 0 }
struct Registration {
  var context: UnsafeMutableRawPointer?
  var callback: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
}
func register(_ context: Context) -> Registration {
  Registration(context: Unmanaged.passRetained(context).toOpaque()) { raw in // KEPT
    Unmanaged<Context>.fromOpaque(raw!).takeUnretainedValue().calls += 1
  }
}
func unregister(_ registration: Registration) { Unmanaged<Context>.fromOpaque(registration.context!).release() }
@inline(never) func use() -> Int {
  var calls = 0
  for round in 0..<3 {
    let context = Context() // ALLOC KEPT-CALL
    let registration = register(context) // KEPT-CALL
    registration.callback?(registration.context)
    calls += context.calls
    #if CLEAN
    unregister(registration)
    #else
    if round > 0 { unregister(registration) }
    #endif
  }
  return calls
}
print(use())
