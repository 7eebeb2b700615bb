// leak: 1 Early, 1 Late
// path:
// says: only a task that nothing can resume
// change: Resume each continuation exactly once
// A task waits for one whose continuation is lost. That the first refers to the second, which waits for it, is no
// retain cycle.
final class Early: @unchecked Sendable { var runs = 0 }
final class Late: @unchecked Sendable { var runs = 0 }
@inline(never) func makeEarly() -> Early { Early() } // ALLOC
@inline(never) func makeLate() -> Late { Late() } // ALLOC
@MainActor @inline(never) func never(_ early: Early) async {
  await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in // KEPT
    #if CLEAN
    continuation.resume()
    #endif
  } // KEPT
  early.runs += 1
}
@MainActor @inline(never) func follow(_ task: Task<Void, Never>, _ late: Late) async {
  await task.value // KEPT
  late.runs += 1
}
@MainActor @inline(never) func start() {
  let task = Task { await never(makeEarly()) } // ALLOC KEPT
  Task { await follow(task, makeLate()) } // ALLOC KEPT
}
start()
try? await Task.sleep(nanoseconds: 50_000_000)
print("end")
