// leak: 2 Download, 1 Downloader
// path: closure
// An operation's completion block captures it, and a property whose references are all released had it as well.
import Foundation
final class Download: Operation, @unchecked Sendable {
  let url: String
  var result: Data?
  init(url: String) { self.url = url }
  override func main() { result = Data(url.utf8) }
}
final class Downloader: @unchecked Sendable {
  private let queue = OperationQueue()
  var finished: [String: Int] = [:]
  var last: Download?
  let lock = NSLock()
  func fetch(_ url: String) {
    let operation = Download(url: url) // ALLOC
    #if CLEAN
    operation.completionBlock = { [weak self, weak operation] in self?.done(url, operation?.result?.count ?? 0) }
    #else
    operation.completionBlock = { self.done(url, operation.result?.count ?? 0) } // KEPT
    #endif
    last = operation
    queue.addOperation(operation)
  }
  func done(_ url: String, _ count: Int) { lock.withLock { finished[url] = count } }
  func wait() { queue.waitUntilAllOperationsAreFinished() }
}
@inline(never) func run() {
  let downloader = Downloader()
  downloader.fetch("http://a")
  downloader.fetch("http://bb")
  downloader.wait()
  usleep(20_000)
  print(downloader.lock.withLock { downloader.finished.count })
}
run()
usleep(20_000)
