/// The rows of a table, as many as fit in the page.
struct BoundedRows {
  private(set) var markup: Markup = ""
  private(set) var shown = 0

  /// At most `count` rows of at most `bytes` in all.
  init<Entry>(_ entries: [Entry], count: Int, bytes: Int, row: (Entry) -> Markup) {
    for entry in entries.prefix(count) {
      let row = row(entry)
      guard markup.size + row.size <= bytes else { break }
      markup += row
      shown += 1
    }
  }
}
