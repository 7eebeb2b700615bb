// Arrays of structures whose first element has the number 1: only the address one element before it is known.
final class Sample { let value: Int; init(_ value: Int) { self.value = value } }
struct Row { let sample: Sample; let weight: Double; let next: Int }
struct Table<Element> {
  /// Of the element 0, which does not exist.
  let base: UnsafeMutablePointer<Element>
  let count: Int
  init(_ count: Int, _ element: (Int) -> Element) {
    base = UnsafeMutablePointer<Element>.allocate(capacity: count) - 1
    self.count = count
    for number in 1...count { (base + number).initialize(to: element(number)) }
  }
}
nonisolated(unsafe) var rows: [Table<Row>] = []
nonisolated(unsafe) var pairs: [Table<(Sample, Sample)>] = []
@inline(never) func fill() {
  for count in [2, 3, 30] {
    rows.append(Table(count) { Row(sample: Sample($0), weight: 0.5, next: $0) })
    pairs.append(Table(count) { (Sample($0), Sample(-$0)) })
  }
}
fill()
@inline(never) func sum() -> Int {
  rows.reduce(0) { $0 + $1.base[$1.count].sample.value } + pairs.reduce(0) { $0 + $1.base[$1.count].1.value }
}
print(sum())
