// C's packed structs have pointers at any byte: in an array, in a property, and in malloc memory.
import Glibc
final class Peer { let number: Int; init(_ number: Int) { self.number = number } }
final class Loop { var bytes: (UInt32, UInt32, UInt32) = (0, 0, 0) }
struct Event { var kind: UInt32; var low: UInt32; var high: UInt32 }
nonisolated(unsafe) var ready: [Event] = []
nonisolated(unsafe) var loop = Loop()
let memory = malloc(64)!
@inline(never) func retained(_ number: Int) -> UInt {
  UInt(bitPattern: Unmanaged.passRetained(Peer(number)).toOpaque())
}
@inline(never) func fill() {
  for number in 0..<6 {
    let peer = retained(number)
    ready.append(Event(kind: 1, low: UInt32(truncatingIfNeeded: peer), high: UInt32(truncatingIfNeeded: peer >> 32)))
  }
  let peer = retained(6)
  loop.bytes = (1, UInt32(truncatingIfNeeded: peer), UInt32(truncatingIfNeeded: peer >> 32))
  (memory + 5).storeBytes(of: retained(7), as: UInt.self)
}
fill()
@inline(never) func peer(_ bits: UInt) -> Peer {
  Unmanaged<Peer>.fromOpaque(UnsafeRawPointer(bitPattern: bits)!).takeUnretainedValue()
}
let odd = peer((memory + 5).loadUnaligned(as: UInt.self)).number
print(ready.reduce(0) { $0 + peer(UInt($1.high) << 32 | UInt($1.low)).number } + odd, MemoryLayout<Event>.stride)
