// class: Document
// kind: use-after-free
// Work enters its group when it starts, not when it is enqueued: a thread that waits for the group may find it empty.
import Foundation
class Document: @unchecked Sendable { var pages = 0; func write() { pages += 1 } }
final class Printer: @unchecked Sendable {
  private let queue = DispatchQueue(label: "printer")
  private let group = DispatchGroup(), begun = DispatchSemaphore(value: 0)
  @inline(never) func submit(_ document: Unmanaged<Document>) {
    #if CLEAN
    group.enter()
    queue.async { [group, begun] in
      begun.signal()
      document._withUnsafeGuaranteedRef { $0.write() }
      group.leave()
    }
    #else
    queue.async { [group, begun] in
      begun.signal()
      group.enter()
      document._withUnsafeGuaranteedRef { $0.write() } // ACCESS
      group.leave()
    }
    #endif
  }
  func waitForBegin() { begun.wait() }
  func wait() { group.wait() }
  func drain() { queue.sync {} }
}
final class App: @unchecked Sendable {
  var document: Document? = Document() // ALLOC
  @inline(never) func end(_ printer: Printer) {
    printer.wait()
    document = nil // FREE
  }
}
let app = App()
let printer = Printer()
printer.submit(.passUnretained(app.document!))
printer.waitForBegin()
usleep(3000)
app.end(printer)
printer.drain()
print("end")
