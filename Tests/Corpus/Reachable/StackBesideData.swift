// A coroutine's stack in one mapping with data, after an unreadable page: the process ends on that stack.
import Glibc
final class Row { var number = 1 }
typealias Get = @convention(c) (UnsafeMutableRawPointer) -> Int32
typealias Set = @convention(c) (UnsafeMutableRawPointer) -> Int32
typealias Make = @convention(c) (UnsafeMutableRawPointer, @convention(c) () -> Void, Int32) -> Void
func function<Type>(_ name: String, _ type: Type.Type) -> Type { unsafeBitCast(dlsym(nil, name)!, to: type) }
let size = 1 << 18, page = 4096
nonisolated(unsafe) let mapping = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
nonisolated(unsafe) let context = calloc(1, 2048)!
@inline(never) func fill() {
  for offset in stride(from: page, to: 2 * page, by: 512) {
    mapping.storeBytes(of: UInt(bitPattern: Unmanaged.passRetained(Row()).toOpaque()), toByteOffset: offset, as: UInt.self)
  }
}
@inline(never) func finish() {
  print("end")
  exit(0)
}
mprotect(mapping, page, PROT_NONE)
fill()
_ = function("getcontext", Get.self)(context)
// uc_stack: its address and size.
context.storeBytes(of: mapping + 2 * page, toByteOffset: 16, as: UnsafeMutableRawPointer.self)
context.storeBytes(of: size - 2 * page, toByteOffset: 32, as: Int.self)
function("makecontext", Make.self)(context, { finish() }, 0)
_ = function("setcontext", Set.self)(context)
