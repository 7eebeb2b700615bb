/// One function at an address and the place in it, with texts as numbers that their symbolicator knows, 0 where none is
/// known.
public struct CodeLocation: Sendable, Equatable {
  /// The linkage name.
  public internal(set) var name = StringTable.none
  public internal(set) var file = StringTable.none
  /// 0 where the compiler gave none.
  public internal(set) var line: Int32 = 0
  public internal(set) var column: Int32 = 0
}
