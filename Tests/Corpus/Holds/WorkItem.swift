// object: Report#1
// verdict: on time
// rule: 
// finding: none
// A work item that the program stores and that is in no queue owns what its block captured, like a stored closure.
import Dispatch
final class Report { var pages = 0; func write() { pages += 1 } }
final class Printer { var report: Report? = Report(); var item: DispatchWorkItem? }
@inline(never) func prepare(_ printer: Printer) {
  let report = printer.report!
  printer.item = DispatchWorkItem { report.write() }
}
@inline(never) func drop(_ printer: Printer) {
  printer.report = nil // OWNER
}
let printer = Printer()
prepare(printer)
drop(printer)
printer.item = nil
print("end")
