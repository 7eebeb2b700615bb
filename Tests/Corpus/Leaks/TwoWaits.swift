// leak: 2 Transfer
// findings: 2
// path:
// says: only a task that nothing can resume
// One function starts two kinds of tasks, which wait in different places: two causes.
final class Transfer: @unchecked Sendable { var bytes = 0 }
@inline(never) func upload(_ transfer: Transfer) async {
  #if !CLEAN
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } // KEPT
  #endif
  transfer.bytes += 1
}
@inline(never) func download(_ transfer: Transfer) async {
  #if !CLEAN
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } // KEPT
  #endif
  transfer.bytes += 2
}
@inline(never) func start(_ isUpload: Bool) {
  let transfer = Transfer() // ALLOC
  Task { if isUpload { await upload(transfer) } else { await download(transfer) } }
}
start(true)
start(false)
try await Task.sleep(nanoseconds: 100_000_000)
print("end")
