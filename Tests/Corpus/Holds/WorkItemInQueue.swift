// object: Report#1
// verdict: late
// rule: dispatch-block
// finding: either
// The owner gives up its work item while a queue still has it: the queue keeps what its block captured.
import Foundation
final class Report: @unchecked Sendable { var pages = 0; func write() { pages += 1 }; deinit { died.signal() } }
final class Printer: @unchecked Sendable { var report: Report? = Report(); var item: DispatchWorkItem? }
let died = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "printing")
@inline(never) func prepare(_ printer: Printer) {
  let report = printer.report!
  printer.item = DispatchWorkItem { report.write() }
  queue.async(execute: printer.item!)
}
@inline(never) func drop(_ printer: Printer) {
  printer.report = nil // OWNER
}
let printer = Printer()
queue.suspend()
prepare(printer)
printer.item = nil
drop(printer)
queue.resume()
died.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
