/// Where the code around a retain puts the reference, or where that around a release has it from.
public enum ReferenceMove: Hashable, Sendable {
  /// What an offset counts from.
  public enum Base: Sendable {
    /// An object, in whose property it replaces another reference.
    case object
    /// Memory that was allocated just before: an object, a closure's context, an array, a box.
    case new
    /// Perhaps a part of an object, or a variable.
    case unknown
  }

  /// A retained reference is stored at an offset.
  case stored(offset: FieldOffset, from: Base)
  /// A retained reference was read at an offset, and it is unknown where it is stored, if at all.
  case copied(offset: FieldOffset)
  /// The released reference was read at an offset, where something else was stored in its place, or not.
  /// `isOwn`: the offset counts from the object whose method the code is, if it is a method's.
  case removed(offset: FieldOffset, isReplaced: Bool, isOwn: Bool = false)
  /// The released reference is a local variable's or an intermediate value's: it was in the function's stack frame.
  case local
}
