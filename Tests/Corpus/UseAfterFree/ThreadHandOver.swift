// class: Frame
// kind: use-after-free
// Another thread gets an uncounted reference, and uses it after the first thread has finished.
import Foundation
class Frame { var pixels = 3; func render() -> Int { pixels } }
final class Renderer { var frame: Frame? }
let ready = DispatchSemaphore(value: 0), finished = DispatchSemaphore(value: 0)
@inline(never) func prepare(_ renderer: Renderer) -> Unmanaged<Frame> {
  renderer.frame = Frame() // ALLOC
  return .passUnretained(renderer.frame!)
}
@inline(never) func discard(_ renderer: Renderer) {
  renderer.frame = nil // FREE
}
@inline(never) func work(_ frame: Unmanaged<Frame>) {
  ready.wait()
  _ = frame.takeUnretainedValue().render() // ACCESS
  finished.signal()
}
let renderer = Renderer()
nonisolated(unsafe) let frame = prepare(renderer)
let worker = Thread { work(frame) }
worker.start()
#if !CLEAN
discard(renderer)
#endif
ready.signal()
finished.wait()
discard(renderer)
print("end")
