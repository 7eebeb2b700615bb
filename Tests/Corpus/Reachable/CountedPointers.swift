// Lists without locks keep a counter beside an address: in the 16 bits below it, or above it.
import Synchronization
final class Entry { var value = 1 }
let head = Atomic<UInt64>(0), tail = Atomic<UInt64>(0)
final class Slots {
  var low: UInt64 = 0
  var words: [UInt64] = []
}
let slots = Slots()
@inline(never) func retained() -> UInt64 { UInt64(UInt(bitPattern: Unmanaged.passRetained(Entry()).toOpaque())) }
@inline(never) func push() {
  head.store(retained() << 16 | 0xFFFF, ordering: .relaxed)
  tail.store(retained() | 0x8001 << 48, ordering: .relaxed)
  slots.low = retained() << 16 | 0x1234
  slots.words = [retained() << 16 | 1, 0xFFFF_FFFF_FFFF, retained() << 16 | 2]
}
push()
print(head.load(ordering: .relaxed) != 0, slots.words.count)
