// leak: 1 Pool
// path: Pool.slot.owner
// change: Make Pool.slot.owner weak or unowned
// The parts of a struct that cannot be copied have names.
struct Slot: ~Copyable {
  var used = 0
  #if CLEAN
  weak var owner: Pool?
  #else
  var owner: Pool?
  #endif
  deinit { print("used \(used) times") }
}
final class Pool { var slot = Slot() }
@inline(never) func make() -> Pool { Pool() } // ALLOC
@inline(never) func take(_ pool: Pool) {
  pool.slot.owner = pool // KEPT
  pool.slot.used += 1
}
@inline(never) func run() -> Int {
  let pool = make()
  take(pool) // KEPT-CALL
  return pool.slot.used
}
print(run())
