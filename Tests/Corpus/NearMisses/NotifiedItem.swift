// object: Exporter#1
// Only the block that a work item notifies holds the exporter, and in it a progress uses it unsafely.
import Dispatch
class Exporter: @unchecked Sendable { var pages = 0; func addPage() -> Int { pages += 1; return pages } }
final class Panel: @unchecked Sendable {
  var exporter: Exporter? = Exporter()
  @inline(never) func close() { exporter = nil }
}
final class Progress: @unchecked Sendable {
#if CLEAN
  private weak var exporter: Exporter?
#else
  private unowned(unsafe) let exporter: Exporter
#endif
  private(set) var shown = 0
  init(_ exporter: Exporter) { self.exporter = exporter }
#if CLEAN
  @inline(never) func report() { if let exporter { shown += exporter.addPage() } }
#else
  @inline(never) func report() { shown += exporter.addPage() + exporter.pages } // ACCESS
#endif
}
let queue = DispatchQueue(label: "export")
@inline(never) func begin(_ panel: Panel, _ progress: Progress) {
  let exporter = panel.exporter!
  let render = DispatchWorkItem { usleepish() }
  render.notify(queue: queue) {
    _ = exporter.addPage()
    progress.report()
  }
  queue.async(execute: render)
}
@inline(never) func usleepish() { for _ in 0..<1000 { _ = Int.random(in: 0...3) } }
let panel = Panel()
let progress = Progress(panel.exporter!)
queue.suspend()
begin(panel, progress)
panel.close()
queue.resume()
queue.sync {}
queue.sync {}
print("end", progress.shown >= 0)
