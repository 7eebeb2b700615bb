// leak: 2 Worker
// path:
// why: passRetained
// The main function is asynchronous, and what it awaits gives two workers to C by hand and takes none of them back.
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
@inline(never) func run() async -> Int { await start(1) + start(2) } // KEPT-CALL
print(await run())
