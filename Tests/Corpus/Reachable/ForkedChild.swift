// The parent waits for a child that exits by itself; both hold the same objects.
import Glibc
final class Shared { var value = 1; var next: Shared? }
let shared = Shared()
typealias Fork = @convention(c) () -> Int32
let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
@inline(never) func run() -> Int32 {
  let local = Shared()
  shared.next = Shared()
  let child = fork()
  if child == 0 { exit(Int32(local.value - 1)) }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return status + Int32(local.value)
}
print(run())
