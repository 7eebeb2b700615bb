/// One function at an address and the location in it, with texts as numbers known to their symbolicator, 0 if unknown.
public struct CodeLocation: Sendable, Equatable {
  /// The linkage name.
  public internal(set) var name = StringTable.none
  public internal(set) var file = StringTable.none
  /// 0 if the compiler emitted none.
  public internal(set) var line: Int32 = 0
  public internal(set) var column: Int32 = 0
  /// Whether the line is that of the code before, which may belong to another statement.
  public internal(set) var isNear = false
}
