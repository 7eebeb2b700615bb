/// The name of a function, from its entry or one that the entry refers to.
struct EntryName {
  var text = StringTable.none
  /// A linkage name, wherever it is, is better than a plain one; of plain ones the nearest is best.
  var isLinkage = false
}
