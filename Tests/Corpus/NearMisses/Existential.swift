// object: Download#1
// Only a local variable still has the download when its bar uses it through an unsafe reference to a protocol.
protocol Source: AnyObject { func fraction() -> Int }
class Download: Source { var done = 0; func fraction() -> Int { done += 1; return done } }
final class Bar {
#if CLEAN
  weak var source: (any Source)?
#else
  unowned(unsafe) var source: (any Source)?
#endif
  var shown = 0
  @inline(never) func refresh() {
#if CLEAN
    shown += source?.fraction() ?? 0
#else
    if let source { shown += source.fraction() } // ACCESS
#endif
  }
}
final class Manager {
  var download: Download? = Download()
  let bar = Bar()
  @inline(never) func cancel() { download = nil }
  @inline(never) func pause() {
    let download = download!
    keep(download.fraction())
    cancel()
    bar.refresh()
    keep(download.fraction())
  }
}
nonisolated(unsafe) var kept = 0
@inline(never) func keep(_ fraction: Int) { kept += fraction }
@inline(never) func run() {
  let manager = Manager()
  manager.bar.source = manager.download
  manager.pause()
}
run()
print("end")
