// leak: 300 Record, 300 Index
// findings: 1
// path: Record.index, Index.record
// Three hundred cycles of one shape among as many live objects.
final class Record { var index: Index? }
final class Index { var record: Record? }
final class Table { var rows: [Record] = [] }
let table = Table()
@inline(never) func insert(_ isKept: Bool) {
  let record = Record() // ALLOC
  let index = Index() // ALLOC
  record.index = index
  if isKept {
    table.rows.append(record)
  } else {
    #if !CLEAN
    index.record = record // KEPT
    #endif
  }
}
for number in 0..<600 { insert(number % 2 == 0) } // KEPT-CALL
print(table.rows.count)
