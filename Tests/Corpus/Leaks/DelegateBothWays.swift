// leak: 1 Downloader, 1 Screen
// path: Screen.downloader, Downloader.delegate
// A delegate that was declared without `weak`.
protocol DownloaderDelegate: AnyObject { func finished(_ bytes: Int) }
final class Downloader {
  #if CLEAN
  weak var delegate: DownloaderDelegate?
  #else
  var delegate: DownloaderDelegate?
  #endif
  func run() { delegate?.finished(42) }
}
final class Screen: DownloaderDelegate {
  var downloader: Downloader?
  var bytes = 0
  func finished(_ bytes: Int) { self.bytes = bytes }
  @inline(never) func open() {
    let downloader = Downloader() // ALLOC
    downloader.delegate = self // KEPT
    self.downloader = downloader
    downloader.run()
  }
}
@inline(never) func visit() -> Int {
  let screen = Screen() // ALLOC
  screen.open() // KEPT-CALL
  return screen.bytes
}
print(visit())
