/// The name of a function that its entry, or one of those that it refers to, has.
struct EntryName {
  var text = StringTable.none
  /// A linkage name, wherever it is, is better than a plain one; of plain ones the nearest is the best.
  var isLinkage = false
}
