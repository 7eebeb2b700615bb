// object: Report#1
// verdict: on time
// rule: 
// finding: none
// An operation that its owner stores, starts itself and gives up belongs to no queue: it owns what its block captured.
import Foundation
class Report: @unchecked Sendable { var pages = 0; @inline(never) func render() { pages += 1 } }
final class Printer: @unchecked Sendable {
  unowned(unsafe) var report: Report?
  @inline(never) func printNow() { report?.render() }
}
final class Job: @unchecked Sendable {
  private var report: Report?
  private var operation: BlockOperation?
  let printer = Printer()
  @inline(never) func prepare(_ new: Report) {
    report = new
    printer.report = new
    let printer = printer
    operation = BlockOperation { new.render(); printer.printNow() }
  }
  @inline(never) func handOver() { report = nil }
  @inline(never) func execute() { operation?.start() }
  @inline(never) func finish() { operation = nil }
}
@inline(never) func makeReport() -> Report { Report() }
let job = Job()
job.prepare(makeReport())
job.handOver()
job.execute()
job.printer.printNow()
job.finish()
print("end")
