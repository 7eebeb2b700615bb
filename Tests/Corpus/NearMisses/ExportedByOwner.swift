// object: Clip#1
// A method of the clip's owner, whose other method created the clip, gives it to an operation that still waits when the
// owner ejects it; a screen then draws it through an unsafe reference.
import Foundation
class Clip: @unchecked Sendable { var frames = 0; func next() -> Int { frames += 1; return frames } }
final class Screen {
#if CLEAN
  weak var clip: Clip?
#else
  unowned(unsafe) var clip: Clip?
#endif
  @inline(never) func draw() -> Int {
    clip?.next() ?? 0 // ACCESS
  }
}
final class Deck {
  var clip: Clip?
  let queue = OperationQueue()
  @inline(never) func load() { clip = Clip() }
  @inline(never) func eject() { clip = nil }
  @inline(never) func export(_ gate: DispatchSemaphore) {
    let clip = clip!
    queue.addOperation {
      gate.wait()
      _ = clip.next()
    }
  }
}
@inline(never) func run() -> Int {
  let deck = Deck(), screen = Screen(), gate = DispatchSemaphore(value: 0)
  deck.load()
  screen.clip = deck.clip
  deck.export(gate)
  deck.eject()
  let frames = screen.draw() + screen.draw()
  gate.signal()
  deck.queue.waitUntilAllOperationsAreFinished()
  return frames
}
print(run())
