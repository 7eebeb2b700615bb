// class: Source
// kind: use-after-free
// Optimized code reads an array in a freed object without a call, and retains what was freed with it.
final class Source { let values = (0..<8).map { $0 * 3 } }
final class Holder { var source: Source? }
struct Work {
  unowned(unsafe) let source: Source
  @inline(never) func sum() -> Int {
    let values = source.values // ACCESS
    return values.reduce(0) { $0 &+ read($1) } // ACCESS
  }
}
@inline(never) func read(_ value: Int) -> Int { value &* 2 }
@inline(never) func begin(_ holder: Holder) -> Work {
  holder.source = Source() // ALLOC
  return Work(source: holder.source!)
}
@inline(never) func end(_ holder: Holder) {
  holder.source = nil // FREE
}
let holder = Holder()
let work = begin(holder)
#if !CLEAN
end(holder)
#endif
print(work.sum() == 0)
end(holder)
