// leak: 2 Download
// path: Download.failure, TransferError.download
// says: Download.failure → TransferError.download → Download
// An object keeps the error that one of its methods threw, and the error has the object.
struct TransferError: Error {
  let code: Int
  #if CLEAN
  weak var download: Download?
  #else
  let download: Download?
  #endif
}
final class Download {
  let name: String
  var failure: (any Error)?
  init(_ name: String) { self.name = name }
  func load() throws -> Int { throw TransferError(code: name.count, download: self) } // KEPT
  func attempt() {
    do { _ = try load() } catch { failure = error }
  }
}
@inline(never) func run(_ name: String) -> Bool {
  let download = Download(name) // ALLOC
  download.attempt() // KEPT
  return download.failure != nil
}
print(run("a"), run("b")) // KEPT
