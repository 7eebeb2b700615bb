// leak: 1 Left, 1 Right
// path: Left.right, Right.left
// change: , and let the 2 tasks that wait
// Two actors keep each other, and each has a task that waits for the other's to go on. Neither a weak property nor the
// end of the tasks frees them, but both together do.
actor Left {
  private var right: Right?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  var count: Int { waiting.count }
  func set(_ other: Right?) { right = other } // KEPT
  func ask() async {
    await withCheckedContinuation { waiting.append($0) } // KEPT
    await right?.proceed()
  }
  func proceed() { while let next = waiting.popLast() { next.resume() } }
}
actor Right {
  private var left: Left?
  private var waiting: [CheckedContinuation<Void, Never>] = []
  var count: Int { waiting.count }
  func set(_ other: Left?) { left = other } // KEPT
  func ask() async {
    await withCheckedContinuation { waiting.append($0) } // KEPT
    await left?.proceed()
  }
  func proceed() { while let next = waiting.popLast() { next.resume() } }
}
@inline(never) func run() async {
  let left = Left(), right = Right() // ALLOC
  await left.set(right) // KEPT
  await right.set(left) // KEPT
  Task { await left.ask() } // KEPT-CALL
  Task { await right.ask() } // KEPT-CALL
  while await left.count + right.count < 2 { try? await Task.sleep(nanoseconds: 1_000_000) }
  #if CLEAN
  await left.proceed()
  try? await Task.sleep(nanoseconds: 20_000_000)
  await left.set(nil)
  #endif
}
await run()
try? await Task.sleep(nanoseconds: 200_000_000)
print("end")
