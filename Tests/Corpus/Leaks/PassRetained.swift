// leak: 1 Context
// path:
// why: passRetained
// `passRetained` without a matching release.
final class Context { var value = 5 }
@inline(never) func hand() -> UnsafeMutableRawPointer {
  let context = Context() // ALLOC
  return Unmanaged.passRetained(context).toOpaque() // KEPT
}
@inline(never) func use() -> Int {
  let pointer = hand() // KEPT-CALL
  #if CLEAN
  return Unmanaged<Context>.fromOpaque(pointer).takeRetainedValue().value
  #else
  return Unmanaged<Context>.fromOpaque(pointer).takeUnretainedValue().value
  #endif
}
print(use())
