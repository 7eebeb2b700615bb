// leak: 1 Visitor
// path:
// why: passRetained
// A C function gets a retained context for the time of a call, and the reference is never taken back.
import Glibc
final class Visitor { var visits = 0 }
@inline(never) func walk(_ path: String) -> Int {
  let visitor = Visitor() // ALLOC
  let context = Unmanaged.passRetained(visitor).toOpaque() // KEPT
  var key = context
  _ = lfind(&key, [context, context], &count, 8) { key, _ in
    Unmanaged<Visitor>.fromOpaque(key!.load(as: UnsafeMutableRawPointer.self))._withUnsafeGuaranteedRef { $0.visits += 1 }
    return 1
  }
  #if CLEAN
  Unmanaged<Visitor>.fromOpaque(context).release()
  #endif
  return visitor.visits
}
nonisolated(unsafe) var count = 2
print(walk("a")) // KEPT-CALL
