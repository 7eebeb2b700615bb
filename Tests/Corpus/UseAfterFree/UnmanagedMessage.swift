// class: Session
// kind: use-after-free
// An Unmanaged reference, taken without a retain, is used after the owner released the object.
class Session { var id = 5; func refresh() -> Int { id } }
final class Pool { var session: Session? }
@inline(never) func start(_ pool: Pool) -> Unmanaged<Session> {
  pool.session = Session() // ALLOC
  return Unmanaged.passUnretained(pool.session!)
}
@inline(never) func stop(_ pool: Pool) {
  pool.session = nil // FREE
}
@inline(never) func use(_ session: Unmanaged<Session>) -> Int {
  session.takeUnretainedValue().refresh() // ACCESS
}
let pool = Pool()
let session = start(pool)
#if !CLEAN
stop(pool)
#endif
print(use(session) >= 0)
stop(pool)
