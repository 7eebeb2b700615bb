// object: Download#1
// verdict: late
// rule: dispatch-block
// finding: none
// The download's own method runs in the block when its part uses it without owning it: the block keeps both until then.
import Dispatch
class Download: @unchecked Sendable {
  var bytes = 0
  var part: Part?
  func note(_ count: Int) { bytes += count }
  @inline(never) func run(_ manager: Manager) {
    part!.fetch(1)
    manager.finish()
    part!.fetch(2)
  }
}
final class Part {
  unowned let download: Download
  init(_ download: Download) { self.download = download }
  @inline(never) func fetch(_ count: Int) { download.note(count) }
}
final class Manager: @unchecked Sendable {
  var current: Download? = Download()
  @inline(never) func finish() {
    current = nil // OWNER
  }
}
let manager = Manager(), queue = DispatchQueue(label: "downloads")
manager.current!.part = Part(manager.current!)
@inline(never) func start() {
  let download = manager.current!
  queue.async { download.run(manager) }
}
queue.suspend()
start()
queue.resume()
queue.sync {}
print("end")
