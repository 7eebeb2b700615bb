// A page that was made unreadable after a pointer was written to it.
import Glibc
final class Secret { var value = 1 }
@inline(never) func hide() -> UnsafeMutableRawPointer {
  let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
  page.storeBytes(of: Unmanaged.passRetained(Secret()).toOpaque(), as: UnsafeMutableRawPointer.self)
  mprotect(page, 4096, PROT_NONE)
  return page
}
let page = hide()
print("end")
