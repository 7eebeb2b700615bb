// class: Connection
// kind: use-after-free
// A pool reuses a slot; its first user keeps using the old connection.
class Connection { var open = 1; func send(_ byte: UInt8) -> Int { open } }
final class Pool { var slots: [Connection?] = [nil, nil] }
@inline(never) func connect(_ pool: Pool) -> Unmanaged<Connection> {
  pool.slots[0] = Connection() // ALLOC
  return .passUnretained(pool.slots[0]!)
}
@inline(never) func recycle(_ pool: Pool) {
  pool.slots[0] = nil // FREE
}
@inline(never) func send(_ connection: Unmanaged<Connection>) -> Int {
  connection.takeUnretainedValue().send(1) // ACCESS
}
let pool = Pool()
let connection = connect(pool)
#if !CLEAN
recycle(pool)
pool.slots[1] = Connection()
#endif
print(send(connection) >= 0)
recycle(pool)
