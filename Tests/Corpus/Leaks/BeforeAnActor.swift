// leak: 11 Session
// path: Session.onClose, closure
// An actor gets the memory of an array of lost sessions: the words of its state that the runtime never writes are no
// references.
final class Session {
  let id: Int
  var onClose: (() -> Void)?
  init(_ id: Int) {
    self.id = id // ALLOC
    #if CLEAN
    onClose = { [weak self] in print(self?.id ?? 0) }
    #else
    onClose = { print(self.id) } // KEPT
    #endif
  }
}
actor Meter {
  private var total = 0
  func add(_ amount: Int) -> Int {
    total += amount
    return total
  }
}
@inline(never) func serve() {
  let sessions = (0..<11).map { Session($0) } // ALLOC
  print(sessions.count)
}
nonisolated(unsafe) var meter: Meter?
serve()
meter = Meter()
print(await meter!.add(1))
try? await Task.sleep(nanoseconds: 1_000_000)
