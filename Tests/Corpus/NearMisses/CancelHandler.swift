// object: Watcher#1
// Only the cancel handler of a timer source holds the watcher, and in it a log uses it by an unmanaged reference.
import Foundation
class Watcher: @unchecked Sendable { var events = 0; func note() -> Int { events += 1; return events } }
final class Center: @unchecked Sendable { var watcher: Watcher?; var source: (any DispatchSourceTimer)?
  @inline(never) func drop() { watcher = nil }
}
final class Log: @unchecked Sendable {
  var lines = 0
#if CLEAN
  weak var watcher: Watcher?
  init(_ watcher: Watcher) { self.watcher = watcher }
  @inline(never) func flush() { if let watcher { lines += watcher.note() } }
#else
  let watcher: Unmanaged<Watcher>
  init(_ watcher: Watcher) { self.watcher = .passUnretained(watcher) }
  @inline(never) func flush() { let watcher = watcher.takeUnretainedValue(); lines += watcher.note() + watcher.events } // ACCESS
#endif
}
let queue = DispatchQueue(label: "watch")
let cancelled = DispatchSemaphore(value: 0)
let center = Center()
@inline(never) func start() -> Log {
  let watcher = Watcher()
  center.watcher = watcher
  let log = Log(watcher)
  let source = DispatchSource.makeTimerSource(queue: queue)
  source.schedule(deadline: .now() + 100)
  source.setEventHandler { log.flush() }
  source.setCancelHandler {
    _ = watcher.note()
    log.flush()
    cancelled.signal()
  }
  source.resume()
  center.source = source
  return log
}
let log = start()
center.drop()
center.source!.cancel()
cancelled.wait()
queue.sync {}
print("end", log.lines)
