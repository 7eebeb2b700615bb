// leak: 1 Worker
// path:
// why: passRetained
// A task that has ended, and that the program keeps, gave a worker to C by hand; the main function is asynchronous.
final class Worker: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
  @inline(never) func work() -> Int { number + 1 }
}
@inline(never) func start(_ number: Int) async -> Int {
  let worker = Worker(number) // ALLOC
  let context = UInt(bitPattern: Unmanaged.passRetained(worker).toOpaque()) // KEPT
  await Task.yield()
  let unmanaged = Unmanaged<Worker>.fromOpaque(UnsafeRawPointer(bitPattern: context)!)
  #if CLEAN
  return unmanaged.takeRetainedValue().work()
  #else
  return unmanaged.takeUnretainedValue().work()
  #endif
}
@inline(never) func run() async -> Int { await start(1) } // KEPT-CALL
let task = Task.detached { await run() }
print(await task.value)
