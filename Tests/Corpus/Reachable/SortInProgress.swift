// `exit` from a C callback, with objects in its caller's frames and in its context.
import Glibc
final class Comparer { var calls = 0 }
@inline(never) func sort(_ numbers: inout [Int32]) -> Int {
  let comparer = Comparer(), other = Comparer()
  let context = Unmanaged.passUnretained(comparer).toOpaque()
  bsearch(context, &numbers, numbers.count, 4) { context, _ in
    Unmanaged<Comparer>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.calls += 1 }
    print("end")
    exit(0)
  }
  return comparer.calls + other.calls
}
var numbers: [Int32] = [3, 1, 2]
print(sort(&numbers))
