/// One function at an address and the place in it, with texts as numbers of a `TextTable`.
public struct CodeLocation: Sendable, Equatable {
  /// The linkage name; `TextTable.none` when it is not known.
  public internal(set) var name = TextTable.none
  public internal(set) var file = TextTable.none
  /// 0 where the compiler gave none.
  public internal(set) var line: Int32 = 0
  public internal(set) var column: Int32 = 0
}
