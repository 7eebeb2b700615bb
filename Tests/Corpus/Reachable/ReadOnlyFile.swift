// Pointers in pages of a file that were written once and are then only read; the file has been unlinked.
import Glibc
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
var name = Array("/tmp/lifeline-corpus-XXXXXX".utf8CString)
let file = mkstemp(&name)
unlink(name)
ftruncate(file, 4096)
let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
@inline(never) func fill() {
  for number in 0..<6 {
    page.storeBytes(
      of: UInt(bitPattern: Unmanaged.passRetained(Item(number)).toOpaque()), toByteOffset: number * 8, as: UInt.self)
  }
}
fill()
mprotect(page, 4096, PROT_READ)
print(file > 2)
