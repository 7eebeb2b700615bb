// class: Window
// kind: use-after-free
// A weak reference is checked to see whether the window exists, and then a non-owning one is used.
import Foundation
class Window { var frames = 0; func draw() { frames += 1 } }
final class Renderer: @unchecked Sendable {
  weak var window: Window?
  private let drawn: Unmanaged<Window>
  init(_ window: Window) {
    self.window = window
    drawn = .passUnretained(window)
  }
  @inline(never) func render() {
    #if CLEAN
    window?.draw()
    #else
    if window != nil { drawn.takeUnretainedValue().draw() } // ACCESS FREE
    #endif
  }
}
final class App: @unchecked Sendable {
  var window: Window? = Window() // ALLOC
  @inline(never) func close() {
    window = nil // FREE
  }
}
let app = App()
let renderer = Renderer(app.window!)
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  for _ in 0..<8 { renderer.render() }
  done.signal()
}
running.wait()
usleep(2000)
app.close()
done.wait()
print("end")
