// A stack that the program allocated itself: objects in the frames of a suspended coroutine.
import Glibc
final class Step { var number = 1 }
// The module lacks the header of contexts: on x86-64 their size is less than a kilobyte.
typealias Get = @convention(c) (UnsafeMutableRawPointer) -> Int32
typealias Swap = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32
typealias Make = @convention(c) (UnsafeMutableRawPointer, @convention(c) () -> Void, Int32) -> Void
func function<Type>(_ name: String, _ type: Type.Type) -> Type { unsafeBitCast(dlsym(nil, name)!, to: type) }
nonisolated(unsafe) let swap = function("swapcontext", Swap.self)
nonisolated(unsafe) let main = calloc(1, 2048)!
nonisolated(unsafe) let coroutine = calloc(1, 2048)!
nonisolated(unsafe) let stack = malloc(1 << 17)!
@_optimize(none) @inline(never) func body() {
  let step = Step()
  let steps = [Step(), Step()]
  _ = swap(coroutine, main)
  print(step.number + steps.count)
}
_ = function("getcontext", Get.self)(coroutine)
// uc_link, then uc_stack: its address, flags and size.
coroutine.storeBytes(of: main, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
coroutine.storeBytes(of: stack, toByteOffset: 16, as: UnsafeMutableRawPointer.self)
coroutine.storeBytes(of: 1 << 17, toByteOffset: 32, as: Int.self)
function("makecontext", Make.self)(coroutine, { body() }, 0)
_ = swap(main, coroutine)
print("end")
