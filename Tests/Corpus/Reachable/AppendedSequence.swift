// `exit` while sequences of unknown length are being appended: the code has only the array and a number of elements.
import Glibc
final class Line { let number: Int; init(_ number: Int) { self.number = number } }
struct Lines: Sequence, IteratorProtocol {
  let depth: Int
  var number = 0
  mutating func next() -> Line? {
    number += 1
    if number == 7 { read(depth + 1) }
    return number < 12 ? Line(number) : nil
  }
}
final class Document { var lines = [Line(0)] }
@inline(never) func read(_ depth: Int) {
  switch depth {
  case 0:
    var lines = [Line(0)]
    lines += Lines(depth: depth)
    print(lines.count)
  case 1:
    var lines: ArraySlice = [Line(0)]
    lines.append(contentsOf: Lines(depth: depth))
    print(lines.count)
  case 2:
    var pages: [Int: [Line]] = [:]
    pages[1, default: [Line(0)]].append(contentsOf: Lines(depth: depth))
    print(pages.count)
  case 3:
    let document = Document()
    document.lines.append(contentsOf: Lines(depth: depth))
    print(document.lines.count)
  case 4:
    var lines: [Line?] = [nil]
    lines.append(contentsOf: Lines(depth: depth).lazy.map { Optional($0) })
    print(lines.count)
  default:
    print("end")
    exit(0)
  }
}
read(0)
