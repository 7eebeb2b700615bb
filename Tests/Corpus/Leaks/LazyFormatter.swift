// leak: 1 Report, 1 Formatter
// path: Report.formatter, Formatter.style, closure
// change: closure at main.swift:16
// A lazy property of a superclass has an object with a closure that captures self.
final class Formatter {
  var style: ((Int) -> String)?
  func format(_ number: Int) -> String { style?(number) ?? "" }
}
class Document {
  var unit = "m"
  lazy var formatter: Formatter = {
    let formatter = Formatter() // ALLOC KEPT
    #if CLEAN
    formatter.style = { [unowned self] number in "\(number) \(self.unit)" }
    #else
    formatter.style = { number in "\(number) \(self.unit)" } // KEPT
    #endif
    return formatter
  }()
}
final class Report: Document {
  var rows = [1, 2]
  func text() -> String { rows.map { formatter.format($0) }.joined() }
}
@inline(never) func write() -> String {
  let report = Report() // ALLOC
  return report.text() // KEPT-CALL
}
print(write())
