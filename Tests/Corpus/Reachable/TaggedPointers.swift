// C code keeps pointers with a flag in their lowest bits.
import Glibc
final class Symbol { var name = "s" }
struct Slot { var tagged: UInt }
nonisolated(unsafe) let slots = calloc(8, MemoryLayout<Slot>.size)!.bindMemory(to: Slot.self, capacity: 8)
@inline(never) func intern(_ index: Int) {
  let bits = UInt(bitPattern: Unmanaged.passRetained(Symbol()).toOpaque())
  slots[index].tagged = bits | UInt(index % 8)
}
for index in 0..<8 { intern(index) }
print("end")
