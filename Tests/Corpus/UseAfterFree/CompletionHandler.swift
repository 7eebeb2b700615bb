// class: Viewer
// kind: use-after-free
// A completion handler is called after the viewer that requested it was closed.
import Dispatch
class Viewer { var shown = 0; func show(_ value: Int) { shown = value } }
final class Desk { var viewer: Viewer? }
let background = DispatchQueue(label: "fetch")
@inline(never) func fetch(_ completion: @escaping @Sendable (Int) -> Void) {
  background.async { completion(3) }
}
@inline(never) func ask(_ desk: Desk) {
  let viewer = Viewer() // ALLOC
  desk.viewer = viewer
  let context = Unmanaged.passUnretained(viewer)
  nonisolated(unsafe) let unsafe = context
  fetch { value in
    unsafe.takeUnretainedValue().show(value) // ACCESS
  }
}
@inline(never) func close(_ desk: Desk) {
  desk.viewer = nil // FREE
}
let desk = Desk()
background.suspend()
ask(desk)
#if !CLEAN
close(desk)
#endif
background.resume()
background.sync {}
close(desk)
print("end")
