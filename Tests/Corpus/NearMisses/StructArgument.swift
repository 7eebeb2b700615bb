// object: Sheet#1
// Only a block keeps it, and a printer uses it through an unsafe reference; in the twin it is passed to the printer.
import Dispatch
final class Sheet: @unchecked Sendable { var lines = 1 }
struct Job: Sendable { let sheet: Sheet; let copies: Int }
final class Printer: @unchecked Sendable {
  unowned(unsafe) let cover: Sheet
  init(_ cover: Sheet) { self.cover = cover }
  @inline(never) func printCover() { put(cover) } // ACCESS
  @inline(never) func print(_ job: Job) { for _ in 0..<job.copies { put(job.sheet) } }
}
nonisolated(unsafe) var printed = 0
@inline(never) func put(_ sheet: Sheet) { printed += sheet.lines }
final class Desk: @unchecked Sendable {
  var sheet: Sheet? = Sheet()
  @inline(never) func clear() { sheet = nil }
}
let desk = Desk(), queue = DispatchQueue(label: "printer")
let printer = Printer(desk.sheet!)
@inline(never) func submit() {
  let job = Job(sheet: desk.sheet!, copies: 3)
  #if CLEAN
  queue.async { printer.print(job) }
  #else
  queue.async { printed += job.copies; printer.printCover(); withExtendedLifetime(job) {} }
  #endif
}
queue.suspend()
submit()
desk.clear()
queue.resume()
queue.sync {}
print("end")
