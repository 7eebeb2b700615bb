// object: Draft#1
// A method of the draft's owner gives it to a block that still waits when the owner closes; a viewer then shows the
// draft through an unmanaged reference.
import Foundation
class Draft: @unchecked Sendable { var words = 0; func count() -> Int { words += 1; return words } }
final class Viewer {
#if CLEAN
  weak var draft: Draft?
  init(_ draft: Draft) { self.draft = draft }
  @inline(never) func show() -> Int { draft?.count() ?? 0 }
#else
  var draft: Unmanaged<Draft>?
  init(_ draft: Draft) { self.draft = .passUnretained(draft) }
  @inline(never) func show() -> Int {
    draft?.takeUnretainedValue().count() ?? 0 // ACCESS
  }
#endif
}
final class Store {
  var draft: Draft? = Draft()
  @inline(never) func close() { draft = nil }
  @inline(never) func save(_ gate: DispatchSemaphore, _ saved: DispatchSemaphore) {
    let draft = draft!
    DispatchQueue.global().async {
      gate.wait()
      _ = draft.count()
      saved.signal()
    }
  }
}
@inline(never) func run() -> Int {
  let store = Store(), gate = DispatchSemaphore(value: 0), saved = DispatchSemaphore(value: 0)
  let viewer = Viewer(store.draft!)
  store.save(gate, saved)
  store.close()
  let words = viewer.show()
  gate.signal()
  saved.wait()
  return words
}
print(run())
